import { headers } from 'nats'
import { batchHeaders, batchMessageId, type Progress, type ScanEvent, type ScanOrder } from '#events/scans.ts'
import { subjects } from '#events/subjects.ts'
import type { Line } from './line.ts'
import { publish, tryOnce } from './publish.ts'
import type { Packed } from './scan/batches.ts'

/** What is said of a scan, without the time and the attempt, which are added. */
export type News = ScanEvent extends infer E ? (E extends ScanEvent ? Omit<E, 'at' | 'attempt'> : never) : never

/** Reports one attempt of a scan. All is published again until the stream has it, or the signal is aborted. */
export function openReport(
  line: Line,
  { scanId, attempt }: Pick<ScanOrder, 'scanId' | 'attempt'>,
  signal: AbortSignal,
) {
  let said = 0
  let saying: Promise<void> = Promise.resolve()
  let progressing = false
  const message = (news: News) => ({
    subject: subjects.lifecycle(line.agentId, scanId),
    id: `${scanId}.${attempt}.lifecycle.${++said}`,
    data: JSON.stringify({ ...news, at: new Date().toISOString(), attempt }),
  })
  return {
    async batch({ batch, packed }: Packed): Promise<void> {
      const marked = headers()
      marked.set(batchHeaders.attempt, String(attempt))
      marked.set(batchHeaders.batch, String(batch))
      const id = batchMessageId(scanId, attempt, batch)
      const subject = subjects.entries(line.agentId, scanId)
      await publish(line, { subject, id, data: packed, headers: marked }, signal)
      // Gives the memory back at once: so little else happens here that a collection may be long in coming.
      packed.buffer.transfer(0)
    },
    /** Says one thing after another; `until` is another signal for what is said when the scan's own is aborted. */
    say(news: News, until = signal): Promise<void> {
      const saidBefore = saying.catch(() => undefined)
      saying = saidBefore.then(() => publish(line, message(news), until))
      saying.catch(() => undefined)
      return saying
    },
    /** Says how far the scan is, unless the last such news is still on its way: the next one tells more. */
    async progressed(progress: Progress): Promise<void> {
      if (progressing) return
      progressing = true
      await tryOnce(line.js, message({ type: 'progressed', progress })).catch(() => undefined)
      progressing = false
    },
  }
}
export type Report = ReturnType<typeof openReport>
