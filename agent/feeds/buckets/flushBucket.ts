import { inParallel } from '../../systems/inParallel.ts'
import type { TakenFolder } from '../changedFolders.ts'
import { type FlushContents, maxFolders, maxRows, type Outbox } from '../outbox.ts'
import type { BucketOrder } from '../messages.ts'
import { type BucketLister, parentOf } from './bucketLister.ts'
import type { HeldMessages } from './heldMessages.ts'

/** Folders that are listed at the same time. */
const atOnce = 8

type Options = { outbox: Outbox<BucketOrder>; held: HeldMessages; lister: BucketLister; signal: AbortSignal }

/**
 * Lists the folders of one flush. The deepest are first: what a folder lacks that is listed after those in it is gone. Throws if a folder can't be listed;
 * `contents` then has what is to be listed again.
 */
export async function flushBucket(contents: FlushContents, options: Options): Promise<void> {
  await listChanged(contents, options)
  await listPaths(contents, options)
  contents.parts = options.lister.end()
}

/** Lists folders that changed, and in place of those that are gone the ones that they were in. */
async function listChanged(contents: FlushContents, { outbox, held, lister, signal }: Options): Promise<void> {
  const { changed, nowMs } = outbox
  const byDepth: Map<string, TakenFolder | undefined>[] = []
  const add = (path: string, taken?: TakenFolder) => {
    const depth = path.split('/').length - 1
    const folders = (byDepth[depth] ??= new Map())
    folders.set(path, taken ?? folders.get(path))
  }
  for (const taken of changed.take(nowMs)) {
    contents.oldestMs = Math.min(contents.oldestMs, taken.firstMs)
    add(taken.key, taken)
    if (contents.taken.push(taken) >= maxFolders) break
  }
  const late: TakenFolder[] = []
  for (let depth = byDepth.length - 1; depth >= 0; depth--)
    await inParallel(byDepth[depth] ?? [], atOnce, async ([path, taken]) => {
      signal.throwIfAborted()
      if (taken && lister.rows() >= maxRows) return void late.push(taken)
      if (taken) held.listing(path)
      const startMs = performance.now()
      const below = await lister.list(path)
      changed.listed(path, performance.now() - startMs, outbox.nowMs)
      if (!below) add(parentOf(path))
    })
  for (const taken of late) changed.putBack(taken)
  contents.taken = contents.taken.filter((taken) => !late.includes(taken))
}

/** Lists folders that the server requested, with all below them. */
async function listPaths(contents: FlushContents, { outbox: { paths }, lister, signal }: Options): Promise<void> {
  const next = function* () {
    while (lister.rows() < maxRows && contents.paths.length < maxFolders) {
      const path = paths.pop()
      if (!path) return
      yield path
    }
  }
  await inParallel(next(), atOnce, async ({ path, isDeep, sinceMs }) => {
    signal.throwIfAborted()
    contents.oldestMs = Math.min(contents.oldestMs, sinceMs)
    contents.paths.push(path)
    const below = await lister.list(path)
    if (!below) paths.push({ path: parentOf(path), isDeep: false, sinceMs })
    else if (isDeep) for (const folder of below) paths.push({ path: folder, isDeep, sinceMs })
  })
}
