import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ShareMount } from '#events/scans.ts'

/**
 * Lets `use` name a file that holds who signs in, which nobody else can read and which is gone when `use` is over: what
 * stands on a command line or in an environment is seen by others. Without a credential there is no file.
 */
export async function withCredentialsFile<T>(
  state: string,
  credential: ShareMount['credential'],
  use: (file: string | undefined) => Promise<T>,
): Promise<T> {
  if (!credential) return use(undefined)
  const folders = foldersIn(state)
  await mkdir(folders, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(folders, 'once-'))
  try {
    const file = join(folder, 'credentials')
    await writeFile(file, linesOf(credential), { mode: 0o600, flag: 'wx' })
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes what an agent that was killed left. */
export const removeCredentialsFiles = (state: string): Promise<void> =>
  rm(foldersIn(state), { recursive: true, force: true })

const foldersIn = (state: string): string => join(state, 'credentials')

const linesOf = ({ username, password, domain }: NonNullable<ShareMount['credential']>): string =>
  `username=${username}\npassword=${password}\n${domain === '' ? '' : `domain=${domain}\n`}`
