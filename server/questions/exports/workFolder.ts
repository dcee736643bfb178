import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'

const within = ({ data }: Config): string => join(data, 'exports')

/** Creates a folder for the files of one download, and removes it after `work`. Open files can still be read then. */
export async function inWorkFolder<T>(config: Config, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(within(config), { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(within(config), 'export-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** At the start of the server: removes files of interrupted downloads. */
export const clearWorkFolders = (config: Config): Promise<void> => rm(within(config), { recursive: true, force: true })
