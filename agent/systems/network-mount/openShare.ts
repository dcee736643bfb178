import { constants } from 'node:fs'
import { type FileHandle, open, opendir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { ShareMount } from '#events/sources/networkShares.ts'
import { inTime } from '../../abortable.ts'
import { isGone, reason } from '../local/index.ts'
import { atField, ScanFailed } from '../system.ts'
import { type Mount, mountedAt } from './mountShare.ts'
import { sourceOf } from './mountCommand.ts'

/** Interval of checking a share while it is scanned, and time limit for its answer. */
const checkEveryMs = 2_000
const answerTimeoutMs = 60_000

/** A folder of a mounted share that is scanned. */
export type Share = {
  /** Path to walk. It leads to the folder itself, and never to another one at its place once it is unmounted. */
  root: string
  /** Names of the folder and its share for users: '//nas/media/shows', '//nas/media'. */
  name: string
  source: string
  /** Aborted, with why as its reason, when the share is found to be gone. */
  lost: AbortSignal
  /** Throws `ScanFailed` when the share is not there any more. */
  check(): Promise<void>
  close(): Promise<void>
}

type ShareOptions = { mount: ShareMount; path: string; onLost: () => void }

/** Opens the folder of a share that is scanned, and looks after the share from then on. */
export async function openShare({ folder, id }: Mount, { mount, path, onLost }: ShareOptions): Promise<Share> {
  const source = sourceOf(mount)
  const opened = await openFolder(folder, path, source)
  const root = `/proc/self/fd/${opened.fd}`
  const lost = new AbortController()
  const look = async () => {
    const found = await mountedAt(folder)
    if (found?.id !== id) throw new ScanFailed(`${source} was unmounted while it was scanned`)
    const answer = askServer(root).catch((error: unknown) => {
      throw lostShare(source, reason(error))
    })
    await inTime(answer, answerTimeoutMs, lostShare(source, 'no answer'))
  }
  const check = () =>
    look().catch((error: unknown) => {
      onLost()
      throw error
    })
  let checking = false
  const timer = setInterval(() => {
    if (checking) return
    checking = true
    void check()
      .catch((error: unknown) => lost.abort(error))
      .finally(() => (checking = false))
  }, checkEveryMs)
  return {
    root,
    name: `${source}${path === '/' ? '' : path}`,
    source,
    lost: lost.signal,
    check,
    async close() {
      clearInterval(timer)
      await opened.close()
    },
  }
}

/** Both, for much of a share is remembered here and answered without its server. */
async function askServer(root: string): Promise<void> {
  await statfs(root)
  const listing = await opendir(root, { bufferSize: 1 })
  await listing.read().finally(() => listing.close())
}

const lostShare = (source: string, why: string): ScanFailed =>
  new ScanFailed(`${source} went away while it was scanned (${why})`)

/** A symbolic link of the share may lead anywhere: the opened folder has to be on the share itself. */
async function openFolder(folder: string, path: string, source: string): Promise<FileHandle> {
  const opened = await open(join(folder, path), constants.O_RDONLY | constants.O_DIRECTORY).catch((error: unknown) => {
    if (isGone(error)) throw atField(new ScanFailed(`There is no folder ${path} in ${source}`), 'path')
    throw atField(new ScanFailed(`The folder ${path} of ${source} cannot be read: ${reason(error)}`), 'path')
  })
  const [its, the] = await Promise.all([opened.stat({ bigint: true }), stat(folder, { bigint: true })])
  if (its.dev === the.dev) return opened
  await opened.close()
  throw atField(new ScanFailed(`The folder ${path} leads out of ${source}`), 'path')
}
