import { setTimeout as wait } from 'node:timers/promises'
import type { ScanOrder, SourceOrder } from '#events/sources/scanOrder.ts'
import { TaskCancelled, type TaskContext } from '#agent/execution.ts'
import { type Batches, newBatches, type PackedBatch } from '#agent/scan/batches.ts'
import { type Counts, newProgress, noCounts } from '#agent/scan/progress.ts'
import { openReport, type Report } from '#agent/scan/report.ts'
import { type DemoState, readDemo } from '#deploy/local/demo/demoFolder.ts'
import { existingAt, daySeconds } from './world/files.ts'
import { foldersOf, type MadeFolder } from './world/folders.ts'
import { type MadeStorage, storages } from './world/storages.ts'
import { diskStorage, isOfDemo } from './systems/places.ts'

/** Time that a scan takes at least once the history is written, in milliseconds: long enough to watch its progress. */
const watchableMs = 12_000
const cancelledTimeoutMs = 10_000

/** Scans made-up storages of the demo in a data folder, and its disks, and reports them as an agent does. */
export const scanMadeUp =
  (data: string) =>
  async ({ connection }: TaskContext, { order }: { order: ScanOrder }, signal: AbortSignal): Promise<void> => {
    const demo = readDemo(data)
    const report = openReport(connection, order, signal)
    try {
      void report.event({ type: 'started' })
      const disk = order.source.kind === 'fileStorage' && isOfDemo(data, order.source) && order.source.path
      const storage = disk ? diskStorage(disk) : storages.find(({ key }) => key === keyOf(order.source))
      const failure =
        demo && storage ? failureOf(storage, demo) : 'The demo has no such storage: only its own can be scanned.'
      if (failure !== undefined || !demo || !storage) await report.event({ type: 'failed', reason: failure ?? '' })
      else await scan(order, { storage, demo, report, signal })
    } catch (error) {
      if (signal.reason instanceof TaskCancelled)
        await report.event({ type: 'cancelled' }, AbortSignal.timeout(cancelledTimeoutMs)).catch(() => undefined)
      throw error
    }
  }

function keyOf(source: SourceOrder): string {
  if (source.kind === 'fileStorage') return source.path
  if (source.kind === 'networkShare') return source.mount.shareName
  return source.kind === 'bucket' && 'bucket' in source.store ? source.store.bucket : ''
}

const nowOf = ({ now }: DemoState): number => now ?? Math.floor(Date.now() / 1_000)

function failureOf({ failure }: MadeStorage, demo: DemoState): string | undefined {
  const day = Math.floor((nowOf(demo) - demo.first) / daySeconds)
  return failure && day >= failure.fromDay ? failure.reason : undefined
}

type Scanning = { storage: MadeStorage; demo: DemoState; report: Report; signal: AbortSignal }

async function scan(order: ScanOrder, { storage, demo, report, signal }: Scanning): Promise<void> {
  const now = nowOf(demo)
  const folders = foldersOf(existingAt(storage.files(demo), now), now)
  const sent: Promise<void>[] = []
  let batches = 0
  const rows = newBatches({
    nextBatch: () => ++batches,
    send: (batch: PackedBatch) => void sent.push(report.batch(batch)),
  })
  const progress = newProgress()
  const counts = noCounts()
  const isMadeUp = storages.includes(storage)
  const pauseMs = demo.now === undefined && isMadeUp ? watchableMs / Math.max(1, folders.length) : 0
  let shownAt = performance.now()
  for (const folder of folders) {
    if (!isScanned(folder.path, order.scannedPath)) continue
    record(folder, storage, { rows, counts, report })
    progress.progressed(counts, folder.path)
    if (pauseMs > 0) await wait(pauseMs, undefined, { signal })
    if (performance.now() - shownAt < 500) continue
    shownAt = performance.now()
    void report.progressed(progress.now())
  }
  if (storage.kind === 'bucket') {
    rows.addListed({ parentPath: '', name: '' }, 0)
    rows.addCheckpoint([])
  }
  rows.flush()
  await Promise.all(sent)
  const end = { type: 'completed', batches, progress: progress.now(), ...diskFacts(storage, counts) } as const
  await report.event(end)
}

const isScanned = (path: string, scannedPath: string): boolean =>
  scannedPath === '' || path === scannedPath || path.startsWith(`${scannedPath}/`)

type Recording = { rows: Batches; counts: Counts; report: Report }

/** The folder, its files, and the end of its listing. A bucket has no folders but the storage itself. */
function record({ path, entry, files, children }: MadeFolder, storage: MadeStorage, to: Recording): void {
  const { rows, counts, report } = to
  const isBucket = storage.kind === 'bucket'
  if (!isBucket || path === '') {
    rows.add(entry)
    counts.entries++
    if (path !== '') counts.directories++
  }
  for (const file of files) {
    rows.add(file)
    counts.entries++
    counts.bytes += Number(file.size)
  }
  if (isBucket) return
  if (path !== storage.unreadable) return rows.addListed(entry, children)
  rows.addUnreadable(entry)
  counts.unreadable++
  void report.event({ type: 'unreadable', path, error: 'EACCES: permission denied' })
}

function diskFacts({ capacity: total, key }: MadeStorage, { bytes: used }: Counts) {
  if (total === undefined) return {}
  return { updatesAccess: true, capacity: { total, used, free: Math.max(0, total - used), fileSystem: `demo:${key}` } }
}
