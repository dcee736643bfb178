import type { StreamName } from '#events/streams.ts'
import { beforeAll, expect, test } from 'vitest'
import type { JobEvent } from '#events/jobs/events.ts'
import { evolveStream, emptyState } from '#events/jobs/replay.ts'
import { type AnyEvent, append, readLog, system } from '#server/platform/log/eventLog.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { type EventLimit, statesAt } from './statesAt.ts'

const db = await testDb()
const moment = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString()
const write = (stream: StreamName, ...events: AnyEvent[]) =>
  db.transaction().execute((trx) => append<AnyEvent>(trx, stream, system, 1, () => events))

const payload = { volumes: [1], cloneIndex: true }
const begin = (jobId: number, second: number): JobEvent[] => [
  { type: 'JobQueued', at: moment(second), jobId, jobType: 'SCAN_ON_PREMISES', serverId: 1, payload },
  {
    type: 'TaskQueued',
    at: moment(second),
    taskId: jobId,
    taskType: 'SCAN_VOLUMES',
    serverId: 1,
    payload: { ...payload, scanId: 1 },
  },
]

beforeAll(async () => {
  await write('job-1', ...begin(1, 0))
  await write('volume-1', { type: 'Created', at: moment(5), after: { name: 'Films' } } as AnyEvent)
  await write('job-2', ...begin(2, 10))
  await write('job-1', { type: 'TaskStarted', at: moment(20), taskId: 1, attempt: 1 } as AnyEvent)
  await write('job-retention', { type: 'JobsPruned', at: moment(21) })
  await write('volume-1', {
    type: 'Changed',
    at: moment(25),
    before: { name: 'Films' },
    after: { name: 'Film' },
  } as AnyEvent)
  // An agent whose clock is behind: its event counts only if no event past the limit precedes it.
  await write('job-1', { type: 'TaskSucceeded', at: moment(15), taskId: 1, result: {} } as AnyEvent)
  await write('volume-1', { type: 'Removed', at: moment(30), before: { name: 'Film' } } as AnyEvent)
})

const statuses = async (until: EventLimit) => {
  const found: [string, string][] = []
  for await (const { stream, state } of statesAt(db, until)) found.push([stream, (state as { status: string }).status])
  return found
}
const stateOf = async (stream: string, until: EventLimit) => {
  for await (const { state } of statesAt(db, until, stream)) return state
  return 'not yet'
}

test('at each position the state is what the events up to there make it', async () => {
  const log = await readLog<AnyEvent>(db, 0, 100)
  for (let position = 0; position <= log.length; position++) {
    for (const stream of ['job-1', 'job-2', 'volume-1']) {
      const past = log.filter((event) => event.stream === stream && event.position <= position)
      const folded = past.reduce<unknown>((state, { event, at, ...logged }) => {
        return evolveStream(state, {
          ...logged,
          address: null,
          type: event.type,
          at: at.toISOString(),
          data: { ...event },
        })
      }, emptyState)
      expect([position, await stateOf(stream, { position })]).toEqual([position, past.length > 0 ? folded : 'not yet'])
    }
  }
})

test('all jobs are shown at a moment, without later ones', async () => {
  expect(await statuses({ at: new Date(moment(0)) })).toEqual([['job-1', 'NEW']])
  expect(await statuses({ at: new Date(moment(19)) })).toEqual([
    ['job-1', 'NEW'],
    ['job-2', 'NEW'],
  ])
  expect((await statuses({ at: new Date(moment(20)) }))[0]).toEqual(['job-1', 'SUCCESS'])
  expect(await statuses({ at: new Date(Date.parse(moment(0)) - 1) })).toEqual([])
})

test('a setting is shown as it was, and as nothing once it was removed', async () => {
  expect(await stateOf('volume-1', { at: new Date(moment(24)) })).toEqual({ name: 'Films' })
  expect(await stateOf('volume-1', { at: new Date(moment(29)) })).toEqual({ name: 'Film' })
  expect(await stateOf('volume-1', { at: new Date(moment(31)) })).toBe(null)
})
