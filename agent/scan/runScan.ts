import { cleanPath, cleanText } from '#events/contract/cleanText.ts'
import type { PendingPage } from '#events/tasks.ts'
import { Capacity, type IncludedPlace, maxIncludedPlaces } from '#events/scans/lifecycle.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { abortable, inTime } from '../abortable.ts'
import { RetryLater } from '../execution.ts'
import type { Systems } from '../systems/index.ts'
import { folderUpdatesAccess } from '../systems/local/accessTimes.ts'
import { includedPlaces, includedTypes, mayShareSpace } from '../systems/local/boundaries.ts'
import { isRemote } from '../systems/local/mounts.ts'
import {
  maxMessage,
  messageOf,
  noAnswer,
  type OpenedSystem,
  type PagedSystem,
  usualAnswerMs,
} from '../systems/system.ts'
import { openDigests, type ScanDigests } from './digests/openDigests.ts'
import { walkFolders } from './folders/walkFolders.ts'
import { openBaseline, sealBaseline } from './pages/sealedBaseline.ts'
import { walkPages } from './pages/walkPages.ts'
import { newRequests, type Requests } from './pages/requests.ts'
import { type Counts, maxPathLength, newProgress, type WalkListener, type WalkResult } from './progress.ts'
import type { Report } from './report.ts'
import { type JoinedServer, joinServer } from './serverShares.ts'

/** Interval of progress events, and maximum number of unreadable paths that a scan names. */
const progressEveryMs = 1_000
const namedUnreadable = 1_000

type Options = {
  report: Report
  nextPage: (after: string) => Promise<PendingPage>
  systems: Systems
  /** The agent's own folder; without it nothing is remembered from scan to scan. */
  state?: string
  /** Milliseconds after which a call of the storage counts as never answered. */
  answerMs?: number
  signal: AbortSignal
}

/** Scans what the order says and reports it to its end. Throws the signal's reason when that is aborted. */
export async function runScan(order: ScanOrder, options: Options): Promise<void> {
  const { report, nextPage, systems, state, answerMs, signal } = options
  void report.event({ type: 'started' })
  const progress = newProgress()
  const timer = setInterval(() => void report.progressed(progress.now()), progressEveryMs)
  let system: OpenedSystem | undefined
  let server: JoinedServer | undefined
  let digests: ScanDigests | undefined
  try {
    const { baseline, note } = openBaseline(order)
    system = await openInTime({ ...order, baseline }, systems, signal)
    server = joinServer(system.server)
    digests = await openDigests(system.listing === 'walk' ? state : undefined, order)
    const listener = { batch: report.batch, progressed: progress.progressed, ...namingUnreadable(report) }
    const walking = { listener, nextPage, digests, state, server, answerMs }
    const answered = answerOf(system, options)
    const { batches, counts, requests } = await walkSystem(order, system, walking)
    const versions = requests && (await system.versions?.((ask) => requests.run(ask, signal)))
    clearInterval(timer)
    progress.progressed({ ...counts, ...requests?.measured() }, order.scannedPath)
    // A file system may report a size that cannot be.
    const capacity = Capacity.safeParse(await answered(system.capacity())).data
    const mounts = system.listing === 'walk' ? await answered(aboutMounts(system.root, order, counts)) : undefined
    const end = {
      type: 'completed',
      batches,
      progress: progress.now(),
      ...(capacity && { capacity }),
      ...versions,
      ...mounts,
      ...(await endOf(order, system, { counts, unfit: note })),
    } as const
    await withDigests(digests, (kept) => report.event({ ...end, ...kept }))
  } catch (error) {
    if (signal.aborted || error instanceof RetryLater) throw error
    const reason = system?.reasonOf(error) ?? messageOf(error)
    await report.event({ type: 'failed', reason: cleanText(reason, maxMessage) })
  } finally {
    clearInterval(timer)
    server?.leave()
    await digests?.close()
    await system?.close()
  }
}

/** Facts about the file systems of a folder. Unknown ones are left out. */
async function aboutMounts(
  root: string,
  { crossFileSystems }: ScanOrder,
  { withBlocks }: Counts,
): Promise<{ places?: IncludedPlace[]; updatesAccess?: boolean; hidesBlocks?: true; sharesSpace?: true }> {
  const places = await includedPlaces(root, crossFileSystems).catch(() => [])
  const updatesAccess = await folderUpdatesAccess(root).catch(() => undefined)
  const types = await includedTypes(root, crossFileSystems).catch(() => [])
  const sharesSpace = await mayShareSpace(root, crossFileSystems).catch(() => false)
  return {
    ...(places.length > 0 && places.length <= maxIncludedPlaces && { places }),
    ...(updatesAccess !== undefined && { updatesAccess }),
    ...(withBlocks === 0 && types.some(({ type }) => isRemote(type)) && { hidesBlocks: true }),
    ...(sharesSpace && { sharesSpace }),
  }
}

/** A scan that is cancelled does not wait for a system that hangs, which is closed should it still open. */
async function openInTime(
  order: Parameters<Systems['open']>[0],
  systems: Systems,
  signal: AbortSignal,
): Promise<OpenedSystem> {
  const opening = systems.open(order, signal)
  try {
    return await abortable(opening, signal)
  } catch (error) {
    void opening.then(
      (system) => system.close(),
      () => undefined,
    )
    throw error
  }
}

/** Only a system that is listed in pages has a baseline of its own. */
async function endOf(
  order: ScanOrder,
  system: OpenedSystem,
  { counts: { withoutBlocks }, unfit }: { counts: Counts; unfit: string | undefined },
): Promise<{ baseline?: string; note?: string; oddRecords?: number; inventoryAt?: string; withoutBlocks?: number }> {
  const inventoryAt = system.takenAt?.()
  const baseline = await system.baseline?.()
  const note = (system.listing === 'pages' ? unfit : undefined) ?? system.note?.()
  const oddRecords = system.oddRecords?.()
  return {
    ...(baseline && { baseline: sealBaseline(order, baseline) }),
    ...(note && { note }),
    ...(oddRecords && { oddRecords }),
    ...(inventoryAt && { inventoryAt }),
    ...(withoutBlocks > 0 && { withoutBlocks }),
  }
}

/** Says of a scan that it has ended well, and what its digests are called by, which then are those of the volume. */
async function withDigests(
  digests: ScanDigests | undefined,
  say: (kept: { baseline?: string }) => Promise<void>,
): Promise<void> {
  const calledBy = await digests?.finish()
  if (calledBy === undefined) return say({})
  await say({ baseline: calledBy })
  await digests?.keep()
}

type Walking = {
  listener: WalkListener
  nextPage: Options['nextPage']
  digests: ScanDigests | undefined
  state: string | undefined
  server: JoinedServer
  answerMs: number | undefined
}

type Waiting = { answerMs?: number | undefined; signal: AbortSignal }

/** Waits for an answer of a system until the signal is aborted. A folder whose mount hangs never answers: that fails after a time. */
const answerOf =
  ({ listing }: Pick<OpenedSystem, 'listing'>, { answerMs = usualAnswerMs, signal }: Waiting) =>
  <T>(answer: Promise<T>): Promise<T> =>
    abortable(listing === 'walk' ? inTime(answer, answerMs, noAnswer(answerMs)) : answer, signal)

/** Walks it, and sees that it is there to the end: a share that went away is no folder that was emptied. */
async function walkSystem(
  order: ScanOrder,
  system: OpenedSystem,
  { server, ...walking }: Walking,
): Promise<WalkResult & { requests?: Requests }> {
  const { signal } = system
  const answered = answerOf(system, { ...walking, signal })
  try {
    const result =
      system.listing === 'walk'
        ? await walkFolders(order, system.root, { ...walking, share: server.share, signal })
        : await listPages(order, system.pages, { ...walking, server, signal })
    await answered(system.check())
    return result
  } catch (error) {
    // The first error of the walk may only be a consequence of an abort or of a system that is gone.
    signal.throwIfAborted()
    await answered(system.check())
    throw error
  }
}

type Listing = Pick<Walking, 'listener' | 'nextPage' | 'server'> & { signal: AbortSignal }

async function listPages(
  order: ScanOrder,
  pages: PagedSystem,
  { server, ...options }: Listing,
): Promise<WalkResult & { requests: Requests }> {
  const requests = newRequests(order, pages, server)
  return { ...(await walkPages(order, pages, { ...options, requests })), requests }
}

/** Names the first unreadable paths; the walk counts them all. */
function namingUnreadable(report: Report): Pick<WalkListener, 'unreadable'> {
  let named = 0
  return {
    unreadable(path, error) {
      if (named++ >= namedUnreadable) return
      const short = { path: cleanPath(path, maxPathLength), error: cleanText(error, maxMessage) }
      void report.event({ type: 'unreadable', ...short })
    },
  }
}
