import { mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ShareMount } from '#events/sources/networkShares.ts'
import { type Mounted, readMounts } from '../local/mounts.ts'
import { ScanFailed } from '../system.ts'
import { whyNotMounted } from './failures.ts'
import { optionsOf, type ProgramExit, runProgram, sourceOf, withCredentialsFile } from './mountCommand.ts'

/** Time limits for `mount` and `umount`, and the pauses before an unmount is retried. */
const mountTimeoutMs = 30_000
const unmountTimeoutMs = 10_000
const pausesMs = [0, 200, 500, 1_000, 2_000]

/** A share that is mounted at `folder`, as the mount with this number. */
export type Mount = { folder: string; id: number }
/** Folder in which an agent keeps its mounts, and the file systems that each type of share is mounted as. */
export type MountEnvironment = { state: string; types: Record<ShareMount['type'], readonly string[]>; log: Logger }

/** Those of the kernel, and what programs of user space say that mount the same. */
export const shareTypes = {
  SMB: ['cifs', 'smb3', 'fuse.cifs'],
  NFS: ['nfs', 'nfs4', 'fuse.nfs'],
} as const satisfies MountEnvironment['types']

export const mountsFolder = (state: string): string => join(state, 'mounts')

/**
 * Mounts a share in a folder of its own, read-only. Throws `ScanFailed` with why not, also when `mount` says that all is
 * well and the share is not there: an empty folder of this machine would be scanned in its place.
 */
export async function mountShare(volumeId: number, mount: ShareMount, environment: MountEnvironment): Promise<Mount> {
  const folders = mountsFolder(environment.state)
  await mkdir(folders, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(folders, `${volumeId}-`))
  try {
    const exit = await withCredentialsFile(environment.state, mount.credential, (file) => run(mount, folder, file))
    if (exit.code !== 0) throw whyNotMounted(mount, exit)
    const { id, type } = (await mountedAt(folder)) ?? {}
    if (id === undefined || type === undefined) throw new ScanFailed(`${sourceOf(mount)} could not be mounted`)
    if (!environment.types[mount.type].includes(type))
      throw new ScanFailed(`${sourceOf(mount)} could not be mounted: ${type} is mounted in its place`)
    return { folder, id }
  } catch (error) {
    await unmountShare(folder, environment.log)
    throw error
  }
}

const typeNames = { SMB: 'cifs', NFS: 'nfs' }

async function run(mount: ShareMount, folder: string, credentialsFile: string | undefined): Promise<ProgramExit> {
  const options = ['-t', typeNames[mount.type], sourceOf(mount), folder, '-o', optionsOf(mount, credentialsFile)]
  try {
    return await runProgram('mount', options, mountTimeoutMs)
  } catch (cause) {
    throw new ScanFailed("The agent's machine has no program 'mount'", { cause })
  }
}

/** The mount at a folder; undefined for a folder of this machine. */
export const mountedAt = async (folder: string): Promise<Mounted | undefined> =>
  (await readMounts()).findLast(({ point }) => point === folder)

/** Unmounts everything at and below a folder and removes the folder, but never while something is mounted there. */
export async function unmountShare(folder: string, log: Logger): Promise<void> {
  try {
    for (const pauseMs of pausesMs) {
      await wait(pauseMs)
      if (await unmountAll(folder, [])) return await rmdir(folder)
    }
    // Still in use: it goes from here at once, and for good when its last user is gone.
    if (await unmountAll(folder, ['-l'])) return await rmdir(folder)
    log.error({ folder }, 'A share could not be unmounted; it is tried again at the next start')
  } catch (error) {
    log.error({ folder, reason: String(error) }, 'The folder of a share could not be removed')
  }
}

/** True if nothing is mounted any more. */
async function unmountAll(folder: string, options: string[]): Promise<boolean> {
  for (const point of await mountsBelow(folder)) {
    const { timedOut } = await runProgram('umount', [...options, point], unmountTimeoutMs)
    // A server that is dead holds it: nothing but letting go helps.
    if (timedOut) await runProgram('umount', ['-l', point], unmountTimeoutMs)
  }
  return (await mountsBelow(folder)).length === 0
}

/** Mount points at a place or below it, the lowest first. */
export const mountsBelow = async (folder: string): Promise<string[]> =>
  (await readMounts())
    .map(({ point }) => point)
    .filter((point) => point === folder || point.startsWith(`${folder}/`))
    .toReversed()
