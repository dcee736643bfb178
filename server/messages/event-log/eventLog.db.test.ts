import type { StreamName } from '#events/streams.ts'
import { beforeAll, expect, test } from 'vitest'
import { readEventLines } from '#events/event-log/lines.ts'
import { type EventFilters, type LoggedEvent, eventLog, failureTypes } from '#events/event-log/calls.ts'
import type { Input } from '#events/contract/endpoint.ts'
import { append } from '#server/platform/log/eventLog.ts'
import { readDownload } from '#server/platform/testing/readCsv.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { densityOfEvents } from './countEvents.ts'
import { exportEvents } from './listEvents.ts'
import { facetsOfEvents } from './countEvents.ts'
import { findEvent, listEvents } from './listEvents.ts'

const db = await testDb()
const events: LoggedEvent[] = []
const agents = new Map<string, number[]>()

let seed = 11
const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
const one = <T>(of: readonly T[]): T => of[random(of.length)]!

const types = ['JobQueued', 'TaskStarted', 'TaskFailed', 'TaskLost', 'Created', 'Changed', 'Removed']
const streams = [
  'job-1',
  'job-2',
  'job-22',
  'volume-1',
  'volume_1',
  'volume%1',
  'agent-2',
  'Ägypten-1',
  'configuration',
]
const actors = ['system', 'admin', "Ana O'Hara", '100%']
const texts = ['Films', 'films', '100%', 'a_b', 'aXb', 'C:\\temp', 'say "yes"', 'ÜBER', 'über', "o'clock", '*', 'émile']
const start = Date.parse('2026-01-01T00:00:00.000Z')
const moment = (minutes: number) => new Date(start + minutes * 60_000).toISOString()

/** Jobs of two agents; only one task of job 22 belongs to the second agent. */
const owners: [job: number, job: number, task: number][] = [
  [1, 1, 1],
  [2, 2, 2],
  [22, 1, 2],
]

beforeAll(async () => {
  for (const [id, agent, taskAgent] of owners) {
    const row = { id, serverId: agent, createdAt: moment(0), startedAt: null, updatedAt: moment(0), result: null }
    const payload = JSON.stringify({ volumes: [1], cloneIndex: true })
    const version = { version: 1, evolveVersion: 1 }
    await db
      .insertInto('jobs')
      .values({ ...row, ...version, type: 'SCAN_ON_PREMISES', status: 'NEW', payload })
      .execute()
    const task = { type: 'SCAN_VOLUMES', status: 'NEW', attempt: 0, serverId: taskAgent } as const
    await db
      .insertInto('tasks')
      .values({ ...row, ...task, jobId: id, payload })
      .execute()
    agents.set(`job-${id}`, [agent, taskAgent])
  }
  agents.set('agent-2', [2])
  for (let i = 0; i < 600; i++) {
    // Clocks of replicas differ, so times are not quite in the order of positions.
    const event = {
      type: one(types),
      at: moment(i + random(5)),
      after: { name: one(texts), deep: [{ note: one(texts) }] },
    }
    const by = { name: one(actors), address: random(3) === 0 ? null : `10.0.0.${random(30)}` }
    const stream = one(streams) as StreamName
    const { version } = await db.transaction().execute((trx) => append(trx, stream, by, 1, () => [event]))
    const position = events.length + 1
    events.push({
      position,
      stream,
      version,
      type: event.type,
      actor: by.name,
      address: by.address,
      at: event.at,
      data: event,
    })
  }
})

const holds = (value: unknown, text: string): boolean =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).some(([key, inner]) => holds(key, text) || holds(inner, text))
    : String(value).toLowerCase().includes(text.toLowerCase())

/** The filters, implemented in the simplest way. */
function expectedEvents({ stream = '*', type, actor, agent, text, from = '', to = '9' }: EventFilters): LoggedEvent[] {
  const isOf = (of: string) => (stream.endsWith('*') ? of.startsWith(stream.slice(0, -1)) : of === stream)
  const says = (event: LoggedEvent, text: string) =>
    [event.data, event.stream, event.actor, event.address ?? ''].some((part) => holds(part, text))
  return events
    .filter((event) => isOf(event.stream) && event.at >= from && event.at < to)
    .filter((event) => type.length === 0 || type.includes(event.type))
    .filter((event) => (actor === undefined || event.actor === actor) && (text === undefined || says(event, text)))
    .filter((event) => agent === undefined || agents.get(event.stream)?.includes(agent))
}

const maybe = <T>(value: () => T): T | undefined => (random(3) === 0 ? value() : undefined)

const randomFilters = (): Record<string, unknown> => ({
  stream: maybe(() => one([...streams, 'job-*', 'volume_*', 'volume%*', 'job-2*', '*', 'nothing', 'Äg*', '\\*'])),
  type: maybe(() => one([['TaskFailed'], ['Created', 'Removed'], 'Changed', ['Nothing']])),
  actor: maybe(() => one([...actors, 'nobody'])),
  agent: maybe(() => 1 + random(3)),
  text: maybe(() => one([...texts, '%', '_', '10.0.0.1', 'ob-2', 'ADMIN', '\\', '"'])),
  from: maybe(() => moment(random(600))),
  to: maybe(() => moment(random(700))),
})

type ListQuery = Input<typeof eventLog.list>['query']

test('random filters find what a plain loop finds, page by page in both directions', async () => {
  let found = 0
  for (let i = 0; i < 150; i++) {
    const filters = randomFilters()
    const direction = one(['asc', 'desc'] as const)
    const query: ListQuery = eventLog.list.query.parse({ ...filters, direction, size: 1 + random(60) })
    const expected = direction === 'asc' ? expectedEvents(query) : expectedEvents(query).toReversed()
    const seen: LoggedEvent[] = []
    for (let page: Partial<ListQuery> | undefined = {}; page;) {
      const answer = await listEvents(db, { ...query, ...page })
      expect(answer.newest).toBe(600)
      seen.push(...answer.elements)
      page = answer.next === null ? undefined : { [direction === 'asc' ? 'after' : 'before']: answer.next }
    }
    expect({ filters, seen }).toEqual({ filters, seen: expected })
    found += seen.length
  }
  expect(found).toBeGreaterThan(1_000)
})

test('the density counts each selected event in its interval, and names failures', async () => {
  for (let i = 0; i < 60; i++) {
    const query = eventLog.density.query.parse({ ...randomFilters(), pieces: 1 + random(40) })
    const expected = expectedEvents(query)
    const { from, to, pieces } = await densityOfEvents(db, query)
    const ends = [...pieces.slice(1).map(({ at }) => at), to ?? '']
    const counted = pieces.map(({ at }, index) => {
      const within = expected.filter((event) => event.at >= at && event.at < ends[index]!)
      const failures = within.filter(({ type }) => failureTypes.includes(type)).length
      return { at, events: within.length, failures }
    })
    expect({ query, pieces }).toEqual({ query, pieces: counted })
    expect(pieces.reduce((sum, piece) => sum + piece.events, 0)).toBe(expected.length)
    expect(pieces.length).toBeLessThanOrEqual(query.pieces)
    const some = expected.length > 0
    expect([from, to]).toEqual([some ? (query.from ?? from) : null, some ? (query.to ?? to) : null])
  }
})

test('an export has the selected events in ascending lines, and is read back unchanged', async () => {
  for (let i = 0; i < 20; i++) {
    const filters = eventLog.export.query.parse(randomFilters())
    const bytes = await readDownload(await exportEvents(db, filters))
    expect(readEventLines(bytes.toString())).toEqual(expectedEvents(filters))
  }
})

test('facets count types and actors, most frequent first', async () => {
  const { types: counted, actors: byActor } = await facetsOfEvents(db)
  for (const { type, events: count } of counted)
    expect(count).toBe(events.filter((event) => event.type === type).length)
  expect(counted).toHaveLength(types.length)
  expect(byActor.map(({ events: count }) => count)).toEqual(
    byActor.map(({ events: count }) => count).sort((a, b) => b - a),
  )
})

test('one event is found by its position, and none beyond the last', async () => {
  expect(await findEvent(db, 17)).toEqual(events[16])
  expect(await findEvent(db, 601)).toBeUndefined()
})
