import { expect, test } from 'vitest'
import { WrongLine, eventLine, readEventLines } from '#events/event-log/lines.ts'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { foldStream } from './replay.ts'

const at = '2026-01-01T00:00:00.000Z'
const logged = (position: number, stream: string, data: { type: string; [key: string]: unknown }): LoggedEvent => ({
  position,
  stream,
  version: position,
  type: data.type,
  actor: 'ana',
  address: null,
  at,
  data: { at, ...data },
})

const payload = { volumes: [7], cloneIndex: true }
const order = { type: 'JobQueued', jobId: 4, jobType: 'SCAN_ON_PREMISES', serverId: 1, payload }
const task = {
  type: 'TaskQueued',
  taskId: 1,
  taskType: 'SCAN_VOLUMES',
  serverId: 1,
  payload: { ...payload, scanId: 3 },
}

test('a job is folded from its events, ignoring others in its stream', () => {
  const events = [logged(1, 'job-4', order), logged(2, 'job-4', { type: 'OfALaterVersion' }), logged(3, 'job-4', task)]
  expect(foldStream(events)).toMatchObject({ id: 4, status: 'NEW', tasks: [{ id: 1 }] })
})

test('a job whose beginning is missing is nothing', () => {
  expect(
    foldStream([logged(3, 'job-4', task), logged(4, 'job-4', { type: 'TaskFailed', taskId: 1, reason: '' })]),
  ).toBe(null)
})

test('a setting has its last value, and none after its removal', () => {
  const made = logged(1, 'volume-3', { type: 'Created', after: { name: 'Films' } })
  const changed = logged(2, 'volume-3', { type: 'Changed', before: { name: 'Films' }, after: { name: 'Film' } })
  const looked = logged(3, 'volume-3', { type: 'LookedAt' })
  expect(foldStream([made, changed, looked])).toEqual({ name: 'Film' })
  expect(foldStream([made, changed, logged(4, 'volume-3', { type: 'Removed', before: { name: 'Film' } })])).toBe(null)
})

test('a file of events reads back, with empty lines, ends of Windows and a mark at its beginning', () => {
  const events = [logged(1, 'job-4', order), logged(5, 'volume-3', { type: 'Created', after: 'a\nb' })]
  const text = events.map(eventLine).join('')
  expect(readEventLines(text)).toEqual(events)
  expect(readEventLines(`\uFEFF${text.replaceAll('\n', '\r\n\r\n')}`)).toEqual(events)
  expect(readEventLines('')).toEqual([])
})

test('an invalid line is reported with its number and the reason', () => {
  const good = eventLine(logged(2, 'job-4', order))
  const said = (text: string) => {
    try {
      return readEventLines(text)
    } catch (error) {
      return error instanceof WrongLine ? [error.line, error.message] : error
    }
  }
  expect(said(`${good}{"position":`)).toEqual([2, 'Line 2: not JSON'])
  expect(said(`${good}\n${good}`)).toEqual([3, 'Line 3: position 2 comes after 2'])
  expect(said('{"position":"one"}')).toEqual([1, expect.stringMatching(/^Line 1: position: /)])
  expect(said('7')).toEqual([1, expect.stringMatching(/^Line 1: event: /)])
})
