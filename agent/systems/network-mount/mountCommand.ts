import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseOptions, unusedOptions } from '#events/sources/mountRules.ts'
import type { ShareMount } from '#events/sources/networkShares.ts'

/** Options unless the storage has others. A share that dies gives errors instead of hanging. */
const defaults: Record<ShareMount['type'], readonly string[]> = {
  SMB: ['iocharset=utf8', 'soft'],
  // Nothing is ever locked, and without statd version 3 could not be.
  NFS: ['soft', 'timeo=150', 'retrans=3', 'retry=0', 'proto=tcp', 'nolock'],
}
/** Last, so that they count: nothing of a share is changed, and nothing of it runs. */
const safety = ['ro', 'nosuid', 'nodev', 'noexec']

/** Name of a share, for `mount` and for users: '//nas/media', 'nas:/export'. */
export const sourceOf = ({ type, host, shareName }: Pick<ShareMount, 'type' | 'host' | 'shareName'>): string =>
  // mount.cifs looks the host up unchanged, so that an IPv6 address has no brackets there.
  type === 'SMB' ? `//${host.replace(/^\[(.*)\]$/, '$1')}/${shareName}` : `${host}:${shareName}`

/** The argument of `mount -o`. The file contains the sign-in; an SMB share without a file is mounted as a guest. */
export function optionsOf({ type, options }: ShareMount, credentialsFile: string | undefined): string {
  const chosen = [...parseOptions([...defaults[type], options].join(','))]
    .filter(([name]) => !unusedOptions.has(name))
    .map(([name, value]) => (value === undefined ? name : `${name}=${value}`))
  const signIn = credentialsFile === undefined ? 'guest' : `credentials=${credentialsFile}`
  return [...chosen, ...(type === 'SMB' ? [signIn] : []), ...safety].join(',')
}

/**
 * Calls `use` with a file that contains the sign-in. No other user can read it, and it is removed when `use` is over: command lines and
 * environments are visible to others. Without a credential there is no file.
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

/** End of a program: its exit code (null when it was killed), its error output, and true in `timedOut` if it took too long. */
export type ProgramExit = { code: number | null; stderr: string; timedOut: boolean }

/** Maximum characters of a program's output that are kept. */
const maxStderr = 4_000
/** Time for a killed program to exit, for the kernel holds it if a server is dead. */
const killTimeoutMs = 1_000

/**
 * Runs a program without a shell and without a terminal that it could ask for a password, with all that it starts in a
 * group of its own, which is killed after the timeout. Throws when there is no such program.
 */
export function runProgram(name: string, words: string[], timeoutMs: number): Promise<ProgramExit> {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' }
  const child = spawn(name, words, { env, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(0, maxStderr)))
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => {
      if (child.pid !== undefined) kill(child.pid)
      setTimeout(() => resolve({ code: null, stderr, timedOut: true }), killTimeoutMs)
    }, timeoutMs)
    child.once('error', (error) => {
      clearTimeout(timeout)
      reject(error)
    })
    child.once('close', (code, signal) => {
      clearTimeout(timeout)
      resolve({ code, stderr, timedOut: signal === 'SIGKILL' })
    })
  })
}

function kill(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // It ended at this moment.
  }
}
