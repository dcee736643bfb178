import { mkdir, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { mountFault } from '#events/sources/mountRules.ts'
import type { ShareMount } from '#events/sources/networkShares.ts'
import { abortable } from '../../abortable.ts'
import { ScanFailed } from '../system.ts'
import { removeCredentialsFiles } from './mountCommand.ts'
import { type Mount, mountShare, mountsFolder, type MountEnvironment, shareTypes, unmountShare } from './mountShare.ts'
import { openShare, type Share } from './openShare.ts'

type ShareOrder = { volumeId: number; mount: ShareMount; path: string }
type HeldMount = { users: number; mount: Promise<Mount> }
export type Mounts = Awaited<ReturnType<typeof openMounts>>

/**
 * The shares that this agent has mounted: each as long as somebody scans it, and once for all who do. What an agent that
 * was killed left in `state`, which is this agent's alone, is unmounted. `types` are the file systems that are taken.
 */
export async function openMounts(state: string, log: Logger, types: MountEnvironment['types'] = shareTypes) {
  const held = new Map<string, HeldMount>()
  const closing = new Set<Promise<void>>()

  const unmount = (folder: Promise<string | undefined>) => {
    const ended = folder.then((some) => (some === undefined ? undefined : unmountShare(some, log)))
    closing.add(ended)
    void ended.finally(() => closing.delete(ended))
    return ended
  }
  const hold = (key: string, mounting: () => Promise<Mount>): HeldMount => {
    const known = held.get(key) ?? { users: 0, mount: mounting() }
    held.set(key, known)
    known.users++
    return known
  }
  /** Removes a mount from those that other scans find. */
  const forget = (key: string, known: HeldMount) => void (held.get(key) === known && held.delete(key))
  const release = async (key: string, known: HeldMount) => {
    if (--known.users > 0) return
    forget(key, known)
    const folder = known.mount.then(
      ({ folder }) => folder,
      () => undefined,
    )
    await unmount(folder)
  }
  for (const folder of await leftIn(state, log)) void unmount(Promise.resolve(folder))
  return {
    /** Mounts a share, unless it is, and opens the folder of it that is scanned. Throws `ScanFailed` with why not. */
    async open({ volumeId, mount, path }: ShareOrder, signal: AbortSignal): Promise<Share> {
      const refused = whyNotTried(mount, path, state)
      if (refused) throw new ScanFailed(refused)
      const key = JSON.stringify([volumeId, mount])
      const known = hold(key, async () => mountShare(volumeId, mount, { state: await realState(state), types, log }))
      try {
        const options = { mount, path, onLost: () => forget(key, known) }
        const share = await abortable(known.mount, signal).then((mounted) => openShare(mounted, options))
        const close = () => share.close().finally(() => release(key, known))
        return { ...share, close }
      } catch (error) {
        void release(key, known)
        throw error
      }
    },
    /** Waits until all mounts without a scan are unmounted. */
    async settled(): Promise<void> {
      while (closing.size > 0) await Promise.all(closing)
    },
  }
}

/** Checks everything again that the server checked, because these values become arguments of a command that runs as root. */
function whyNotTried(mount: ShareMount, path: string, state: string): string | undefined {
  const fault = mountFault(mount, path)
  if (fault) return `The share is not mounted: ${fault}`
  if (process.platform !== 'linux')
    return `Shares are mounted by agents on Linux only, and this one runs on ${process.platform}`
  if (/[,\p{Cc}]/u.test(state)) return `The agent's own folder ${state} must have no comma in its name: see AGENT_STATE`
  return undefined
}

/** Made at its first use, and named as the kernel names it. */
async function realState(state: string): Promise<string> {
  await mkdir(state, { recursive: true, mode: 0o700 })
  return realpath(state)
}

/** The folders of mounts that an earlier run of the agent left. */
async function leftIn(state: string, log: Logger): Promise<string[]> {
  const folders = mountsFolder(await realpath(state).catch(() => state))
  try {
    await removeCredentialsFiles(state)
    const names = await readdir(folders)
    return names.map((name) => join(folders, name))
  } catch (error) {
    const isFirst = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isFirst) log.warn({ reason: String(error), state }, 'What an earlier run left mounted cannot be looked up')
    return []
  }
}
