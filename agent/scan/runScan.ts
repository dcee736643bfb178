import type { Progress, ScanOrder } from '#events/scans.ts'
import { abortable } from '../abortable.ts'
import { ComeAgain } from '../endings.ts'
import type { Report } from '../report.ts'
import type { Mounts } from '../systems/network-mount/index.ts'
import type { Page } from './handOut.ts'
import { openPlace, type Place } from './place.ts'
import { messageOf } from './recordFolder.ts'
import { nothing, type Tally } from './tally.ts'
import { type Listener, walk, type Walked } from './walk.ts'

/** How often a scan says how far it is, in milliseconds, and how many unreadable paths it names. */
const progressEvery = 1_000
const namedUnreadable = 1_000
/** Characters that the wire takes. */
const longestError = 4_096
const longestPath = 32_768

type Ways = { report: Report; nextPage: (after: string) => Promise<Page>; mounts: Mounts; signal: AbortSignal }

/** Scans what the order says and reports it to its end. Throws the signal's reason when that is aborted. */
export async function runScan(order: ScanOrder, { report, nextPage, mounts, signal }: Ways): Promise<void> {
  void report.say({ type: 'started' })
  const progress = progressOf()
  const timer = setInterval(() => void report.progressed(progress.now()), progressEvery)
  let place: Place | undefined
  try {
    place = await openInTime(order, mounts, signal)
    const { batches, tally } = await walkPlace(order, place, {
      listener: { batch: report.batch, ...progress, ...naming(report) },
      nextPage,
    })
    clearInterval(timer)
    progress.progressed(tally, order.scannedPath)
    const capacity = await abortable(place.capacity(), signal)
    await report.say({ type: 'completed', batches, progress: progress.now(), ...(capacity && { capacity }) })
  } catch (error) {
    if (signal.aborted || error instanceof ComeAgain) throw error
    const reason = messageOf(error).replaceAll(place?.root ?? order.root, place?.name ?? order.root)
    await report.say({ type: 'failed', reason: reason.slice(0, longestError) })
  } finally {
    clearInterval(timer)
    await place?.close()
  }
}

/** A scan that is cancelled does not wait for a place that hangs, which is closed should it still open. */
async function openInTime(order: ScanOrder, mounts: Mounts, signal: AbortSignal): Promise<Place> {
  const opening = openPlace(order, mounts, signal)
  try {
    return await abortable(opening, signal)
  } catch (error) {
    void opening.then(
      (place) => place.close(),
      () => undefined,
    )
    throw error
  }
}

type Walking = { listener: Listener; nextPage: Ways['nextPage'] }

/** Walks it, and sees that it is there to the end: a share that went away is no folder that was emptied. */
async function walkPlace(order: ScanOrder, place: Place, { listener, nextPage }: Walking): Promise<Walked> {
  const { mount: _, ...plain } = order
  try {
    const walked = await walk({ ...plain, root: place.root }, listener, { nextPage, signal: place.signal })
    await abortable(place.check(), place.signal)
    return walked
  } catch (error) {
    // What the walk met first may only be what came of it.
    place.signal.throwIfAborted()
    await abortable(place.check(), place.signal)
    throw error
  }
}

/** Names the first unreadable paths; the walk counts them all. */
function naming(report: Report) {
  let named = 0
  return {
    unreadable(path: string, error: string) {
      if (named++ < namedUnreadable) {
        const short = { path: path.slice(0, longestPath), error: error.slice(0, longestError) }
        void report.say({ type: 'unreadable', ...short })
      }
    },
  }
}

/** How far a walk is; its rate is that since it was asked before. */
function progressOf() {
  let tally: Tally = nothing()
  let currentPath = ''
  let before = { entries: 0, at: performance.now() }
  return {
    progressed(now: Tally, path: string) {
      tally = now
      currentPath = path
    },
    now(): Progress {
      const at = performance.now()
      const seconds = Math.max((at - before.at) / 1_000, 0.001)
      const rate = Math.max(0, (tally.entries - before.entries) / seconds)
      before = { entries: tally.entries, at }
      return { ...tally, rate, currentPath: currentPath.slice(0, longestPath) }
    },
  }
}
