import type { Progress, ScanOrder } from '#events/scans.ts'
import { abortable } from '../abortable.ts'
import { ComeAgain } from '../endings.ts'
import type { Report } from '../report.ts'
import { capacityOf, whyNotScannable } from '../systems/local/index.ts'
import type { Page } from './handOut.ts'
import { messageOf, ScanFailed } from './recordFolder.ts'
import { nothing, type Tally } from './tally.ts'
import { walk } from './walk.ts'

/** How often a scan says how far it is, in milliseconds, and how many unreadable paths it names. */
const progressEvery = 1_000
const namedUnreadable = 1_000
/** Characters that the wire takes. */
const longestError = 4_096
const longestPath = 32_768

type Ways = { report: Report; nextPage: (after: string) => Promise<Page>; signal: AbortSignal }

/** Scans what the order says and reports it to its end. Throws the signal's reason when that is aborted. */
export async function runScan(order: ScanOrder, { report, nextPage, signal }: Ways): Promise<void> {
  void report.say({ type: 'started' })
  const progress = progressOf()
  const timer = setInterval(() => void report.progressed(progress.now()), progressEvery)
  try {
    const refused = await abortable(whyNotScannable(order.root), signal)
    if (refused) throw new ScanFailed(refused)
    const { batches, tally } = await walk(
      order,
      { batch: report.batch, ...progress, ...naming(report) },
      { nextPage, signal },
    )
    clearInterval(timer)
    progress.progressed(tally, order.scannedPath)
    const capacity = await abortable(capacityOf(order.root), signal)
    await report.say({ type: 'completed', batches, progress: progress.now(), ...(capacity && { capacity }) })
  } catch (error) {
    if (signal.aborted || error instanceof ComeAgain) throw error
    await report.say({ type: 'failed', reason: messageOf(error).slice(0, longestError) })
  } finally {
    clearInterval(timer)
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
