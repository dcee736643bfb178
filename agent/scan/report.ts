import { headers } from 'nats'
import { batchHeaders, batchMessageId } from '#events/scans/batches.ts'
import type { Progress, ScanEvent } from '#events/scans/lifecycle.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { subjects } from '#events/subjects.ts'
import type { Connection } from '../connection.ts'
import { publish, publishOnce } from '../publish.ts'
import type { PackedBatch } from './batches.ts'

/** An event of a scan without the time, the run and the attempt, which are added. */
type ReportedEvent = ScanEvent extends infer E
  ? E extends ScanEvent
    ? Omit<E, 'at' | 'run' | 'attempt'>
    : never
  : never

/** Reports one attempt of a scan. All is published again until the stream has it, or the signal is aborted. */
export function openReport(
  connection: Connection,
  { scanId, attempt }: Pick<ScanOrder, 'scanId' | 'attempt'>,
  signal: AbortSignal,
) {
  let events = 0
  let last: Promise<void> = Promise.resolve()
  let progressIsOnItsWay = false
  const message = (event: ReportedEvent) => ({
    subject: subjects.lifecycle(connection.agentId, scanId),
    id: `${scanId}.${attempt}.lifecycle.${++events}`,
    data: JSON.stringify({ ...event, at: new Date().toISOString(), run: connection.run, attempt }),
  })
  return {
    async batch({ batch, packed }: PackedBatch): Promise<void> {
      const marked = headers()
      marked.set(batchHeaders.run, connection.run)
      marked.set(batchHeaders.attempt, String(attempt))
      marked.set(batchHeaders.batch, String(batch))
      const id = batchMessageId(scanId, attempt, batch)
      const subject = subjects.entries(connection.agentId, scanId)
      await publish(connection, { subject, id, data: packed, headers: marked }, signal)
      // Gives the memory back at once: so little else happens here that a collection may be long in coming. A small batch may
      // be a part of a buffer that Node shares.
      if (packed.byteLength === packed.buffer.byteLength) packed.buffer.transfer(0)
    },
    /** Publishes one event after another; `until` is another signal for one that follows when the scan's own is aborted. */
    event(event: ReportedEvent, until = signal): Promise<void> {
      const before = last.catch(() => undefined)
      last = before.then(() => publish(connection, message(event), until))
      last.catch(() => undefined)
      return last
    },
    /** Publishes how far the scan is, unless the progress before is still on its way: the next one tells more. */
    async progressed(progress: Progress): Promise<void> {
      if (progressIsOnItsWay) return
      progressIsOnItsWay = true
      await publishOnce(connection.js, message({ type: 'progressed', progress })).catch(() => undefined)
      progressIsOnItsWay = false
    },
  }
}
export type Report = ReturnType<typeof openReport>
