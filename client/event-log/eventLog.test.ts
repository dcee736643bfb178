import { streamLabel } from '#events/streams.ts'
import { expect, test } from 'vitest'
import type { EventFilters, LoggedEvent } from '#events/event-log/calls.ts'
import { foldStream } from '#events/jobs/replay.ts'
import { actorText, eventSentence as sentenceOf, foldRepeats } from '#events/event-log/eventSentence.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { statesOf } from './replay/ReplayMode.tsx'
import { nextStep } from './replay/usePlayer.ts'
import { densityOf, facetsOf, filterEvents } from './sandbox/sandboxEvents.ts'
import { sandboxOf } from './source.ts'

const eventSentence = (event: LoggedEvent) => sentenceOf(event, momentText)
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString()
const logged = (position: number, stream: string, type: string, data: object = {}): LoggedEvent => ({
  position,
  stream,
  version: position,
  type,
  actor: position % 2 ? 'ana' : 'system',
  address: null,
  at: at(position),
  data: { type, at: at(position), ...data },
})
const events = [
  logged(1, 'job-4', 'JobQueued', {
    jobId: 4,
    jobType: 'SCAN_ON_PREMISES',
    serverId: 2,
    payload: { volumes: [1], cloneIndex: true },
  }),
  logged(2, 'job-4', 'TaskFailed', { taskId: 9, reason: 'Gone' }),
  logged(3, 'volume-1', 'Changed', { before: { name: 'A', path: '/a' }, after: { name: 'B', path: '/a' } }),
  logged(4, 'agent-2', 'Created', { after: { name: 'North' } }),
]
const found = (filters: Partial<EventFilters>) =>
  filterEvents(events, { type: [], ...filters } as EventFilters).map(({ position }) => position)

test('events of policies say which run waits, started, or did nothing, and why', () => {
  const sentence = (type: string, run: object) => eventSentence(logged(1, 'policy-2', type, { name: 'Old films', run }))
  const run = { id: 3, kind: 'act', reasons: ['First run of the policy'], state: 'waiting', jobId: null }
  expect(sentence('PolicyRunWaiting', run)).toBe(
    'Run 3 of the policy "Old films" waits for approval: First run of the policy',
  )
  expect(sentence('PolicyRunStarted', { ...run, state: 'started', reasons: [], jobId: 7 })).toBe(
    'Run 3 of the policy "Old films" was started as job 7',
  )
  expect(sentence('PolicyRunHadNothing', { ...run, kind: 'delete', reasons: ['All policies are paused'] })).toBe(
    'Deletion 3 of the policy "Old films" did nothing: All policies are paused',
  )
})

test('a file is filtered as the log is', () => {
  expect(found({})).toEqual([1, 2, 3, 4])
  expect(found({ stream: 'job-*' })).toEqual([1, 2])
  expect(found({ stream: 'job' })).toEqual([])
  expect(found({ type: ['Changed', 'Created'] })).toEqual([3, 4])
  expect(found({ actor: 'ana', from: at(2) })).toEqual([3])
  expect(found({ to: at(2) })).toEqual([1])
  expect(found({ agent: 2 })).toEqual([1, 2, 4])
  expect(found({ text: 'GONE' })).toEqual([2])
})

test('a file is read in pages, in both directions', async () => {
  const { list } = sandboxOf('f', events)
  const { signal } = new AbortController()
  const first = await list({ type: [], direction: 'desc', size: 3 } as never, signal)
  expect([first.elements.map(({ position }) => position), first.next]).toEqual([[4, 3, 2], 2])
  const rest = await list({ type: [], direction: 'desc', size: 3, before: 2 } as never, signal)
  expect([rest.elements.map(({ position }) => position), rest.next]).toEqual([[1], null])
})

test('the density of a file counts every event once, and its failures', () => {
  const { pieces, from, to } = densityOf(events, 2)
  expect(pieces.map(({ events, failures }) => [events, failures])).toEqual([
    [2, 1],
    [2, 0],
  ])
  expect([from, Date.parse(to ?? '') - Date.parse(at(4))]).toEqual([at(1), 1])
  expect(densityOf([events[0]!]).pieces).toHaveLength(1)
  expect(facetsOf(events).actors).toEqual([
    { actor: 'ana', events: 2 },
    { actor: 'system', events: 2 },
  ])
})

test('events read as sentences', () => {
  expect(events.map(eventSentence)).toEqual([
    'Job 4 was queued: Scan On-Premises',
    'Task 9 failed: Gone',
    'Storage B was changed: name',
    'Agent North was created',
  ])
  const ofScan = { ...events[1]!, task: { type: 'SCAN_VOLUMES', storage: 'Films' } as const }
  expect(eventSentence(ofScan)).toBe('Scan of Films failed: Gone')
  expect(eventSentence({ ...ofScan, task: { type: 'TAG_ENTRIES', storage: null } })).toBe('Tagging failed: Gone')
  expect(eventSentence(logged(5, 'x-1', 'MailServerRefused', { reason: 'no' }))).toBe('Mail server refused: no')
  const failed = { name: 'ana', failures: 3, reason: 'the account is disabled' }
  expect(eventSentence(logged(6, 'user-1', 'SignInFailed', failed))).toBe(
    'Failed sign-in as ana, 3 times: the account is disabled',
  )
  const unknown = { name: 'an unknown name', failures: 1, reason: 'the name or the password was wrong' }
  expect(eventSentence(logged(6, 'sign-ins', 'SignInFailed', unknown))).toBe(
    'Failed sign-in: unknown user or wrong password',
  )
  expect(actorText({ actor: 'not signed in' })).toBe('an anonymous user')
  expect(actorText({ actor: 'not signed in', by: { kind: 'user', id: 7 } })).toBe('not signed in (user 7)')
  expect(actorText({ actor: 'system', by: { kind: 'user', id: 7 } })).toBe('system (user 7)')
  expect(actorText({ actor: 'system', by: { kind: 'system', id: null } })).toBe('system')
  expect(actorText({ actor: 'ana, token nightly', by: { kind: 'token', id: 3 } })).toBe(
    'ana, token nightly (API token 3)',
  )
  expect(eventSentence(logged(7, 'api-token-2', 'Created', { after: { name: 'Backup' } }))).toBe(
    'API token Backup was created',
  )
})

test('events of schedules and alerts read as sentences with their names', () => {
  const of = (type: string, data: object) =>
    eventSentence(logged(5, 'schedule-3', type, { name: 'Space', jobClass: 'VOLUME_SPACE_ALERT', ...data }))
  expect(of('ScheduleHadNothing', { reason: null })).toBe('Alert "Space": nothing new to report')
  expect(of('ScheduleHadNothing', { reason: 'Muted: Renders is at 93 %' })).toBe(
    'Alert "Space": muted: Renders is at 93 %',
  )
  expect(of('ScheduleWasUnknown', { reason: 'The size of Rushes is not known' })).toBe(
    'Alert "Space": the size of Rushes is not known',
  )
  expect(of('ScheduleNotified', { reason: 'Renders is at 93 %' })).toBe(
    'Alert "Space" has something to report: Renders is at 93 %',
  )
  expect(of('AlertFiring', { text: 'Renders is at 93 %' })).toBe('Alert "Space" is firing: Renders is at 93 %')
  expect(of('AlertMuted', { text: 'Renders is at 93 %', until: null })).toBe(
    'Alert "Space" was muted until fixed: Renders is at 93 %',
  )
  const started = { jobClass: 'SCAN_ALL_STORAGES', jobId: 66 }
  expect(of('ScheduleStarted', { ...started, dueAt: at(4) })).toBe('Schedule "Space" started job 66')
  expect(of('ScheduleStarted', { ...started, dueAt: '2026-01-01T05:00:00.000Z' })).toMatch(
    /^Schedule "Space" started job 66, due 2026-01-01 \d\d:00$/,
  )
})

test('adjacent events that read the same are one line, and others stay', () => {
  const opened = (position: number) => ({ ...logged(position, 'wall-1', 'SignedIn'), actor: 'Lobby' })
  const { shown, counts } = foldRepeats([opened(9), opened(8), opened(7), events[3]!, opened(5)])
  expect(shown.map(({ position }) => position)).toEqual([9, 4, 5])
  expect([...counts]).toEqual([[9, 3]])
  expect(eventSentence(opened(9))).toBe('Wall 1 display was opened')
})

test('the state after any number of events is what they fold to, in any order of asking', () => {
  const many = Array.from({ length: 450 }, (_, index) => logged(index + 1, 'volume-1', 'Changed', { after: { index } }))
  const stateAt = statesOf(many)
  for (const count of [450, 3, 4, 299, 300, 301, 100, 0, 449, 200, 1]) {
    expect([count, stateAt(count)]).toEqual([count, foldStream(many.slice(0, count))])
  }
})

test('playing waits as long as it took, divided by the speed, and never for long', () => {
  const moments = [0, 1_000, 1_010, 1_020, 100_000]
  expect(nextStep(moments, 0, 1)).toEqual({ index: 3, wait: 1_000 })
  expect(nextStep(moments, 0, 10)).toEqual({ index: 3, wait: 100 })
  expect(nextStep(moments, 1, 1)).toEqual({ index: 3, wait: 40 })
  expect(nextStep(moments, 3, 1)).toEqual({ index: 4, wait: 3_000 })
  expect(nextStep(moments, 4, 1)).toBeUndefined()
})

test('a thing is named by the words of its stream, and by its name or description', () => {
  const made = logged(1, 'storage-price-3', 'Created', { after: { description: 'Cold' } })
  expect(eventSentence(made)).toBe('Price book Cold was created')
  const alert = logged(1, 'schedule-2', 'Created', { after: { name: 'Films full', jobGroup: 'ALERT' } })
  expect(eventSentence(alert)).toBe('Alert Films full was created')
  expect(streamLabel('session-1b2c-d3')).toBe('session 1b2c-d3')
})

test('limits and views are sentences with the names of users and groups', () => {
  const said = (stream: string, type: string, data: Record<string, unknown>) =>
    eventSentence({
      position: 1,
      stream,
      version: 1,
      type,
      actor: 'admin',
      address: null,
      at: '2026-01-01T00:00:00.000Z',
      data,
    })
  expect(said('limits-3', 'Changed', { name: 'anna', before: {}, after: {} })).toBe('What anna sees was changed')
  expect(said('group-limits-editors', 'Changed', { name: 'editors' })).toBe('What editors sees was changed')
  const until = '2026-01-01T01:00:00.000Z'
  expect(said('user-3', 'ViewStarted', { name: 'anna', until })).toMatch(/^Started to see what anna sees, until 2026/)
  expect(said('user-3', 'ViewEnded', { name: 'anna' })).toBe('Stopped seeing what anna sees')
})
