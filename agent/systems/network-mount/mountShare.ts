import { mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ShareMount } from '#events/scans.ts'
import { withCredentialsFile } from './credentialsFile.ts'
import { ShareFailed, whyNotMounted } from './failures.ts'
import { type Mounted, mountsBelow, readMounts } from './mountInfo.ts'
import { optionsOf, sourceOf } from './options.ts'
import { type Ended, runProgram } from './runProgram.ts'

/** How long `mount` and `umount` may take, and the pauses before an unmounting is tried again. Milliseconds. */
const mountWithin = 30_000
const unmountWithin = 10_000
const pauses = [0, 200, 500, 1_000, 2_000]

/** A share that is mounted at `folder`, as the mount with this number. */
export type Mount = { folder: string; id: number }
/** Where an agent keeps its mounts, and the file systems that each type of share is mounted as. */
export type Place = { state: string; types: Record<ShareMount['type'], readonly string[]>; log: Logger }

/** Those of the kernel, and what programs of user space say that mount the same. */
export const shareTypes = {
  SMB: ['cifs', 'smb3', 'fuse.cifs'],
  NFS: ['nfs', 'nfs4', 'fuse.nfs'],
} as const satisfies Place['types']

export const mountsIn = (state: string): string => join(state, 'mounts')

/**
 * Mounts a share in a folder of its own, read-only. Throws `ShareFailed` with why not, also when `mount` says that all is
 * well and the share is not there: an empty folder of this machine would be scanned in its place.
 */
export async function mountShare(volumeId: number, mount: ShareMount, place: Place): Promise<Mount> {
  const folders = mountsIn(place.state)
  await mkdir(folders, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(folders, `${volumeId}-`))
  try {
    const ended = await withCredentialsFile(place.state, mount.credential, (file) => run(mount, folder, file))
    if (ended.code !== 0) throw whyNotMounted(mount, ended)
    const { id, type } = (await mountedAt(folder)) ?? {}
    if (id === undefined || type === undefined)
      throw new ShareFailed(`${sourceOf(mount)} was to be mounted, and is not there`)
    if (!place.types[mount.type].includes(type))
      throw new ShareFailed(`${sourceOf(mount)} was to be mounted, and ${type} is there in its place`)
    return { folder, id }
  } catch (error) {
    await unmountShare(folder, place.log)
    throw error
  }
}

const typeNames = { SMB: 'cifs', NFS: 'nfs' }

async function run(mount: ShareMount, folder: string, credentialsFile: string | undefined): Promise<Ended> {
  const words = ['-t', typeNames[mount.type], sourceOf(mount), folder, '-o', optionsOf(mount, credentialsFile)]
  try {
    return await runProgram('mount', words, mountWithin)
  } catch (cause) {
    throw new ShareFailed("The agent's machine has no program 'mount'", { cause })
  }
}

/** What is mounted at a folder; undefined for a folder of this machine. */
export const mountedAt = async (folder: string): Promise<Mounted | undefined> =>
  (await readMounts()).findLast(({ point }) => point === folder)

/** Unmounts all that lies at and below a folder and removes the folder, but never while something is mounted there. */
export async function unmountShare(folder: string, log: Logger): Promise<void> {
  try {
    for (const pause of pauses) {
      await wait(pause)
      if (await unmountAll(folder, [])) return await rmdir(folder)
    }
    // Still in use: it goes from here at once, and for good when its last user is gone.
    if (await unmountAll(folder, ['-l'])) return await rmdir(folder)
    log.error({ folder }, 'A share could not be unmounted; it is tried again at the next start')
  } catch (error) {
    log.error({ folder, reason: String(error) }, 'The folder of a share could not be removed')
  }
}

/** Whether nothing is mounted any more. */
async function unmountAll(folder: string, words: string[]): Promise<boolean> {
  for (const point of await mountsBelow(folder)) {
    const { isLate } = await runProgram('umount', [...words, point], unmountWithin)
    // A server that is dead holds it: nothing but letting go helps.
    if (isLate) await runProgram('umount', ['-l', point], unmountWithin)
  }
  return (await mountsBelow(folder)).length === 0
}
