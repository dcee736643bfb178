import { accountsInFiles, listAccounts } from '#events/node/accounts.ts'
import type { MeasuredPace } from '#events/contract/pace.ts'
import type { PendingPage } from '#events/tasks.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { abortable } from '../../abortable.ts'
import { isAllRemote } from '../../systems/local/boundaries.ts'
import { asyncCalls } from '../../systems/local/lookups/asyncCalls.ts'
import { ScanFailed, usualAnswerMs } from '../../systems/system.ts'
import { newAllowedLookups } from '../quietHours.ts'
import { type Counts, noCounts, sumCounts, type WalkListener, type WalkResult } from '../progress.ts'
import type { ScanDigests } from '../digests/openDigests.ts'
import { type Controls, newControls } from './controls.ts'
import { type KeptNames, openKeptNames } from './keptNames.ts'
import { type FolderQueue, newFolderQueue } from './folderQueue.ts'
import type { ThreadStart, ToThread, WayToWalk } from './messages.ts'
import { type MessageHandlers, startThread, type Thread } from './thread.ts'

/** Milliseconds between looks at the limits of a storage. */
const lookEveryMs = 1_000

type Options = {
  listener: WalkListener
  /** The next of the order's pending folders, after the last one that came. */
  nextPage: (after: string) => Promise<PendingPage>
  /** The known digests of files, and the destination of new ones. */
  digests?: Pick<ScanDigests, 'forThreads' | 'add'> | undefined
  /** The agent's own folder, for names of owners. */
  state?: string | undefined
  /** Part of a limit of the server that this scan may use; all of it unless other scans use it too. */
  share?: (limit: number) => number
  /** Milliseconds after which a call counts as never answered. */
  answerMs?: number | undefined
  /** Only for tests. */
  way?: WayToWalk | undefined
  signal: AbortSignal
}

/**
 * Walks the folders of an order, which are below `root` on this machine, in threads of their own, until all is listed and every batch has
 * been accepted. Throws `ScanFailed` when it cannot continue, and the signal's reason when that is aborted.
 */
export async function walkFolders(order: ScanOrder, root: string, options: Options): Promise<WalkResult> {
  const { listener, nextPage, digests, state, way, signal } = options
  const { share = (limit) => limit, answerMs = usualAnswerMs } = options
  signal.throwIfAborted()
  const accounts = order.withoutOwners ? accountsInFiles() : await listAccounts()
  const count = await abortable(threadsOf(order, root, way), signal)
  signal.throwIfAborted()
  const keptNames = openKeptNames(state)
  const controls = newControls(order.pace?.maxEntriesPerSecond)
  const stopLimiting = limitLookups(controls, order, share)
  const ended = Promise.withResolvers<WalkResult>()
  const abort = () => ended.reject(signal.reason)
  const start: Omit<ThreadStart, 'thread'> = {
    root,
    controls: controls.memory,
    accounts,
    knownNames: keptNames.names,
    answerMs,
    order: { ...order, pending: [] },
    ...(digests && { digests: digests.forThreads }),
    ...(way && { way }),
  }
  const threads = startWhenNeeded(start, (thread) => handlersOf(thread))
  const queue = newFolderQueue({
    threads: count,
    first: order,
    nextPage,
    send: threads.send,
    setIdle: controls.setIdle,
    failed: ended.reject,
  })
  const handlersOf = messageHandlers(count, listener, { controls, queue, ended, digests, keptNames })
  signal.addEventListener('abort', abort, { once: true })
  try {
    for (let n = 0; n < count; n++) queue.idle(n)
    return await ended.promise
  } finally {
    signal.removeEventListener('abort', abort)
    stopLimiting()
    controls.stop()
    keptNames.save()
    await threads.end()
  }
}

/** Threads that start when there is work for them: in a scan of few folders, only one does. */
function startWhenNeeded(start: Omit<ThreadStart, 'thread'>, handlersOf: (thread: number) => MessageHandlers) {
  const started = new Map<number, Thread>()
  return {
    send(thread: number, message: ToThread): void {
      if (!started.has(thread) && message.type === 'finish') return handlersOf(thread).finished({ type: 'finished' })
      if (!started.has(thread)) started.set(thread, startThread({ ...start, thread }, handlersOf(thread)))
      started.get(thread)?.send(message)
    },
    end: () => Promise.all([...started.values()].map((thread) => thread.end())),
  }
}

/** A storage that answers late needs one thread, for that has many calls in flight. */
async function threadsOf({ threads, crossFileSystems }: ScanOrder, root: string, way?: WayToWalk): Promise<number> {
  if (!asyncCalls || way === 'alone' || way === 'measured') return threads
  return (await isAllRemote(root, crossFileSystems).catch(() => false)) ? 1 : threads
}

type Walk = Pick<Options, 'digests'> & {
  controls: Controls
  queue: FolderQueue
  ended: PromiseWithResolvers<WalkResult>
  keptNames: KeptNames
}

/** Handlers for the messages of all threads, by type. */
function messageHandlers(
  threads: number,
  listener: WalkListener,
  { controls, queue, ended, digests, keptNames }: Walk,
): (thread: number) => MessageHandlers {
  const countsOfThreads = Array.from({ length: threads }, noCounts)
  const paces: (MeasuredPace | undefined)[] = []
  const onTheirWay = new Set<Promise<void>>()
  const finished = new Set<number>()
  const total = (): Counts => {
    const counts = sumCounts(countsOfThreads)
    return { ...counts, queued: counts.queued + queue.size() }
  }
  return (thread) => ({
    batch({ batch, packed }) {
      const taken = listener.batch({ batch, packed }).then(controls.freeRoom, ended.reject)
      onTheirWay.add(taken)
      void taken.then(() => onTheirWay.delete(taken))
    },
    digests: (message) => digests?.add(message.digests),
    unreadable: ({ path, error }) => listener.unreadable(path, error),
    progressed({ counts, path, pace }) {
      countsOfThreads[thread] = counts
      paces[thread] = pace
      listener.progressed({ ...total(), ...sumPaces(paces) }, path)
    },
    named: ({ database, id, name }) => keptNames.add(database, id, name),
    shared: ({ folders }) => queue.share(folders),
    idle: () => queue.idle(thread),
    failed: ({ reason }) => ended.reject(new ScanFailed(reason)),
    finished() {
      if (finished.add(thread).size < threads) return
      void Promise.all(onTheirWay).then(() => ended.resolve({ batches: controls.batches(), counts: total() }))
    },
  })
}

/** Keeps a walk to the lookups that it may make now. Returns a function that ends this. */
function limitLookups(controls: Controls, { pace }: ScanOrder, share: (limit: number) => number): () => void {
  const allowed = newAllowedLookups(pace)
  const limit = () => controls.setLookups(share(allowed()))
  limit()
  const timer = setInterval(limit, lookEveryMs)
  return () => clearInterval(timer)
}

/** The pace of several threads; nothing if none of them measures one. */
function sumPaces(paces: readonly (MeasuredPace | undefined)[]): { pace?: MeasuredPace } {
  const known = paces.filter((pace) => pace !== undefined)
  if (known.length === 0) return {}
  const inFlight = known.reduce((sum, pace) => sum + pace.inFlight, 0)
  const latencyMs = known.reduce((sum, pace) => sum + pace.latencyMs, 0) / known.length
  return { pace: { inFlight, latencyMs } }
}
