import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'

const within = ({ data }: Config): string => join(data, 'exports')

/** A new folder for the files of one download; it is removed when `work` is over. What is still open can be read on. */
export async function inWorkFolder<T>(config: Config, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(within(config), { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(within(config), 'export-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes, when the server starts, what downloads left that were cut short. */
export const clearWorkFolders = (config: Config): Promise<void> => rm(within(config), { recursive: true, force: true })
