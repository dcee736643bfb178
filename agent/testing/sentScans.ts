import { EventEmitter, once } from 'node:events'
import type { JsMsg } from 'nats'
import { readBatchMessageId } from '#events/scans/batches.ts'
import { ScanEvent } from '#events/scans/lifecycle.ts'
import { consumers, readScanSubject, streams } from '#events/subjects.ts'
import type { Nats } from '#server/platform/nats/nats.ts'
import { decodeRows, type Row } from './decodeRows.ts'

type SentScan = { events: ScanEvent[]; batches: Map<string, Row[]>; duplicates: string[] }

/** Receives the scan events and batches of agents, like the server: events immediately, batches when requested. */
export async function takeScans(nats: Nats) {
  const heard = new EventEmitter()
  const scans = new Map<number, SentScan>()
  const sent = (scanId = 0): SentScan => {
    const known = scans.get(scanId) ?? { events: [], batches: new Map(), duplicates: [] }
    scans.set(scanId, known)
    return known
  }
  const takeEvent = (message: JsMsg) => {
    sent(readScanSubject(message.subject)?.scanId).events.push(ScanEvent.parse(message.json()))
    message.ack()
    heard.emit('something')
  }
  const takeBatch = (message: JsMsg) => {
    const { batches, duplicates } = sent(readScanSubject(message.subject)?.scanId)
    const id = message.headers?.get('Nats-Msg-Id') ?? ''
    if (batches.has(id)) duplicates.push(id)
    batches.set(id, decodeRows(message.data, readBatchMessageId(id)))
    message.ack()
    heard.emit('something')
  }
  const taking = async (consumer: string, callback: (message: JsMsg) => void) =>
    (await nats.js.consumers.get(streams.scans, consumer)).consume({ max_messages: 1, expires: 1_000, callback })
  await taking(consumers.lifecycle, takeEvent)
  const until = async (isTrue: () => unknown) => {
    while (!isTrue()) await once(heard, 'something')
  }
  return {
    /** Takes batches from now on, until the returned value is closed. */
    takeBatches: () => taking(consumers.entries, takeBatch),
    events: (scanId: number) => sent(scanId).events,
    rows: (scanId: number) => [...sent(scanId).batches.values()].flat(),
    /** Batches that arrived more than once. */
    duplicates: (scanId: number) => sent(scanId).duplicates,
    /** Waits until a message makes the condition true. */
    until,
    async untilSaid(scanId: number, type: ScanEvent['type'], attempt = 1): Promise<ScanEvent> {
      const ofAttempt = (is: ScanEvent['type']) =>
        sent(scanId).events.find((event) => event.type === is && event.attempt === attempt)
      await until(() => ofAttempt(type) ?? ofAttempt('failed'))
      const event = ofAttempt(type) ?? ofAttempt('failed')
      if (event?.type === 'failed' && type !== 'failed') throw new Error(`The scan failed: ${event.reason}`)
      return event as ScanEvent
    },
    /** Waits for the end of a scan and for all its batches. */
    async untilComplete(scanId: number, attempt = 1): Promise<ScanEvent> {
      const completed = await this.untilSaid(scanId, 'completed', attempt)
      const ids = () => [...sent(scanId).batches.keys()].filter((id) => id.startsWith(`${scanId}.${attempt}.`))
      await until(() => completed.type === 'completed' && ids().length === completed.batches)
      return completed
    },
  }
}
