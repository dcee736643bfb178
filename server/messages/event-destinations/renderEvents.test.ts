import { expect, test } from 'vitest'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { streamNames } from '#events/streams.ts'
import { eventTopics, streamsOf } from '#events/event-log/destinations.ts'
import { renderBatch, renderEvent } from './renderEvents.ts'
import { readOtlp, readSyslog } from './testing/receivers.ts'

const sender = { host: 'dataintell.example.com', product: '6f1f8a52-0000-4000-8000-000000000000' }
const at = '2026-11-30T09:27:21.123Z'
const eventOf = (name: string, changes: Partial<LoggedEvent> = {}): LoggedEvent => ({
  position: 123,
  stream: 'volume-7',
  version: 2,
  type: 'Created',
  actor: 'ana',
  by: { kind: 'user', id: 3 },
  address: '10.0.0.1',
  at,
  data: { type: 'Created', at, after: { name } },
  ...changes,
})
const syslog = (event: LoggedEvent) => renderEvent('SYSLOG_TLS', event, sender)

test('a message of syslog has the time in UTC, the kind of the event, its number and its author', () => {
  expect(syslog(eventOf('Films'))).toBe(
    `<109>1 ${at} dataintell.example.com dataintell - Created ` +
      `[dataintell@32473 product="${sender.product}" seq="123" stream="volume-7" user="ana" userKind="user" userId="3" address="10.0.0.1"] ` +
      'Storage Films was created',
  )
  const failed = { stream: 'job-4', type: 'TaskFailed', data: { type: 'TaskFailed', at, taskId: 4, reason: 'Gone' } }
  expect(readSyslog(syslog(eventOf('', failed)))).toMatchObject({ priority: 107, text: 'Task 4 failed: Gone' })
  expect(readSyslog(syslog(eventOf('', { actor: 'system', by: { kind: 'system', id: null } }))).priority).toBe(110)
})

// keycloak/keycloak#32744, rsyslog/rsyslog#284: receivers show the mark, which RFC 5424 wants before text in UTF-8.
test('only text with letters other than ASCII has a byte order mark, after the structured data', () => {
  expect(readSyslog(syslog(eventOf('Films'))).hasMark).toBe(false)
  expect(readSyslog(syslog(eventOf('Übersicht')))).toMatchObject({
    hasMark: true,
    text: 'Storage Übersicht was created',
  })
})

// elastic/beats#43944, solzimer/nsyslog-parser#12: quotes, backslashes and brackets in parameters.
test('names with quotes, backslashes and brackets are escaped in the structured data, and stay in the text', () => {
  const actor = 'C:\\x"] [evil@1 seq="9'
  const read = readSyslog(syslog(eventOf('a]b"c\\d', { actor })))
  expect(read.params).toMatchObject({ user: actor, seq: '123' })
  expect(read.text).toBe('Storage a]b"c\\d was created')
})

// kernelkit/infix#1643: a line break in a parameter made up another line in the file of the receiver.
test('line breaks and control characters never reach the receiver as such', () => {
  const name = 'Films\n<109>1 2026-01-01T00:00:00.000Z host app - - - forged\r\u2028\0\u001b[31m\u0085'
  for (const kind of ['SYSLOG_TLS', 'SYSLOG_UDP'] as const) {
    const message = renderEvent(kind, eventOf(name, { actor: 'ana\nbob' }), sender)
    // oxlint-disable-next-line no-control-regex
    expect(message).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028\u2029]/)
    expect(readSyslog(message).text).toContain('Films\\u000a<109>1')
    expect(readSyslog(message).params['user']).toBe('ana\\u000abob')
  }
  expect(
    renderBatch(
      'SYSLOG_TLS',
      [1, 2].map(() => syslog(eventOf(name))),
      sender,
    ).split('\n'),
  ).toHaveLength(2)
})

// canonical/pebble#1004: the limit left out the head. envoyproxy/envoy#47051: cut within a character.
test('long messages are cut at a whole character, and the whole message is within the limit of its kind', () => {
  for (const [kind, max] of [
    ['SYSLOG_UDP', 1_400],
    ['SYSLOG_TLS', 8_192],
  ] as const)
    for (const shift of ['', 'x', 'xx', 'xxx']) {
      const long = eventOf(shift + '🎬'.repeat(5_000), { actor: 'ü'.repeat(255) })
      const bytes = Buffer.from(renderEvent(kind, long, sender))
      expect(bytes.length).toBeLessThanOrEqual(max)
      expect(bytes.length).toBeGreaterThan(max - 10)
      expect(bytes.toString()).not.toContain('\uFFFD')
      expect(readSyslog(bytes.toString()).text).toMatch(/^Storage x{0,3}🎬+…$/u)
    }
  const lone = renderEvent('SYSLOG_TLS', eventOf('a\ud83cb'), sender)
  expect(lone.isWellFormed()).toBe(true)
})

test('a log record of OTLP has the same words, exact times, and the whole event', () => {
  const body = renderBatch('OTLP', [renderEvent('OTLP', eventOf('Übersicht\n2'), sender)], sender)
  const [record] = readOtlp(body)
  expect(record).toMatchObject({
    timeUnixNano: '1796030841123000000',
    severityNumber: 10,
    eventName: 'Created',
    body: { stringValue: 'Storage Übersicht\n2 was created' },
    resource: { 'service.name': 'dataintell', 'service.instance.id': sender.product, 'host.name': sender.host },
    'dataintell.seq': 123,
    'dataintell.stream': 'volume-7',
    'user.name': 'ana',
    'client.address': '10.0.0.1',
    'dataintell.data': JSON.stringify(eventOf('Übersicht\n2').data),
  })
})

test('a webhook has the events as in the export, with their sentence; too much data is left out, and says so', () => {
  const giant = eventOf('x'.repeat(2_000_000))
  const events = [eventOf('Films'), giant].map((event) => renderEvent('WEBHOOK', event, sender))
  const [films, cut] = JSON.parse(renderBatch('WEBHOOK', events, sender)) as (LoggedEvent & { message: string })[]
  expect(films).toEqual({ product: sender.product, ...eventOf('Films'), message: 'Storage Films was created' })
  expect(cut?.data).toEqual({ type: 'Created', at, leftOutBytes: JSON.stringify(giant.data).length })
  expect(events[1]?.length).toBeLessThan(10_000)
})

test('each stream belongs to one topic', () => {
  const topics = Object.keys(eventTopics) as (keyof typeof eventTopics)[]
  const isOf = (stream: string, pattern: string) =>
    pattern.endsWith('%') ? stream.startsWith(pattern.slice(0, -1)) : stream === pattern
  for (const name of Object.values(streamNames)) {
    const stream = typeof name === 'string' ? name : (name as (id: string) => string)('7')
    const found = topics.filter((topic) => streamsOf([topic]).some((pattern) => isOf(stream, pattern)))
    expect([stream, found.length]).toEqual([stream, 1])
  }
})
