import { failureTypes, type LoggedEvent } from '#events/event-log/calls.ts'
import type { DestinationKind } from '#events/event-log/destinations.ts'
import { eventSentence } from '#events/event-log/eventSentence.ts'
import { cleanText } from '#events/contract/cleanText.ts'
import { cutBytes } from '#server/messages/notifications/index.ts'

/** The product that sends: its host, and its ID, which differs after a backup was restored. */
export type Sender = { host: string; product: string }

/** Severities of syslog and OTLP: failures are errors, actions of people are notices, and those of the product are information. */
function severityOf({ type, actor, by }: LoggedEvent) {
  if (failureTypes.includes(type)) return { syslog: 3, otlp: 17, text: 'ERROR' }
  return (by?.kind ?? actor) === 'system'
    ? { syslog: 6, otlp: 9, text: 'INFO' }
    : { syslog: 5, otlp: 10, text: 'INFO2' }
}

const momentText = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`
const sentenceOf = (event: LoggedEvent) =>
  cutBytes(eventSentence(event, momentText).toWellFormed(), maxBytes.SYSLOG_TLS)

/** Bytes of the data of an event. Larger data is left out, which the event says. */
const maxDataBytes = 64 * 1024

function dataOf({ data }: LoggedEvent): Record<string, unknown> {
  const bytes = Buffer.byteLength(JSON.stringify(data))
  return bytes <= maxDataBytes ? data : { type: data['type'], at: data['at'], leftOutBytes: bytes }
}

/** Maximum bytes of a message. Receivers of UDP need not take more than fits into a packet, those of TLS take at least this. */
const maxBytes = { SYSLOG_UDP: 1_400, SYSLOG_TLS: 8_192 }

/** Log audit (RFC 5424, 6.2.1). */
const facility = 13
/** The number of private enterprises for documentation, because this product has none of its own. */
const structure = 'dataintell@32473'

/** A message of RFC 5424 on one line, cut at a whole character. */
function syslogMessage(event: LoggedEvent, { host, product }: Sender, max: number): string {
  const { position, stream, type, actor, by, address, at } = event
  const params = { product, seq: position, stream, user: actor, userKind: by?.kind, userId: by?.id, address }
  const written = Object.entries(params)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}="${cleanText(visible(String(value)), 100).replace(/["\\\]]/g, String.raw`\$&`)}"`)
  const priority = facility * 8 + severityOf(event).syslog
  const [hostname, id] = [asciiOf(host, 255), asciiOf(type, 32)]
  const head = `<${priority}>1 ${at} ${hostname} dataintell - ${id} [${structure}${written.join('')}]`
  const text = visible(sentenceOf(event))
  // Texts in ASCII have no byte order mark, because many receivers show it.
  // oxlint-disable-next-line no-control-regex
  return cutBytes(`${head.toWellFormed()} ${/^[\0-\x7f]*$/.test(text) ? '' : '\uFEFF'}${text}`, max)
}

/** Escapes control characters and line ends, which would look like further messages in the files of a receiver. */
const visible = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

const asciiOf = (text: string, max: number): string => text.replace(/[^!-~]/g, '').slice(0, max) || '-'

/** A log record of OTLP in JSON, whose 64-bit numbers are texts. */
function otlpRecord(event: LoggedEvent) {
  const { position, stream, type, actor, by, address, at } = event
  const { otlp, text } = severityOf(event)
  const timeUnixNano = `${Date.parse(at)}000000`
  const texts = {
    'dataintell.stream': stream,
    'user.name': actor,
    'dataintell.user.kind': by?.kind,
    'user.id': by?.id?.toString(),
    'client.address': address,
    'dataintell.data': JSON.stringify(dataOf(event)),
  }
  return {
    timeUnixNano,
    observedTimeUnixNano: timeUnixNano,
    severityNumber: otlp,
    severityText: text,
    eventName: type,
    body: { stringValue: sentenceOf(event) },
    attributes: [{ key: 'dataintell.seq', value: { intValue: String(position) } }, ...attributesOf(texts)],
  }
}

const attributesOf = (texts: Record<string, string | null | undefined>) =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [{ key, value: { stringValue: text } }] : [],
  )

/** Writes an event in the form of a destination, on one line. */
export function renderEvent(kind: DestinationKind, event: LoggedEvent, sender: Sender): string {
  if (kind === 'OTLP') return JSON.stringify(otlpRecord(event))
  if (kind !== 'WEBHOOK') return syslogMessage(event, sender, maxBytes[kind])
  return JSON.stringify({ product: sender.product, ...event, data: dataOf(event), message: sentenceOf(event) })
}

/** Joins rendered events to a batch: lines of syslog, or the body of a request. */
export function renderBatch(kind: DestinationKind, events: readonly string[], { host, product }: Sender): string {
  if (kind === 'WEBHOOK') return `[${events.join(',')}]`
  if (kind !== 'OTLP') return events.join('\n')
  const resource = attributesOf({ 'service.name': 'dataintell', 'service.instance.id': product, 'host.name': host })
  const scope = JSON.stringify({ name: 'dataintell.events' })
  const records = `{"scope":${scope},"logRecords":[${events.join(',')}]}`
  return `{"resourceLogs":[{"resource":${JSON.stringify({ attributes: resource })},"scopeLogs":[${records}]}]}`
}
