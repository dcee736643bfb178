import { expect, test } from 'vitest'
import { WallOptions } from '#events/wall.ts'
import { optionsOf, readWallAddress, withoutToken } from '#client/wall/wallAddress.ts'
import { type Rotation, advance, beginRotation, frameMs, hold, raise, shiftAt, step, withOptions } from './rotation.ts'

const everyMs = 30_000
const begin = () => beginRotation(['capacity', 'jobs', 'growth'], everyMs, 0)

/** Boards shown after a point in time, with the second of each change. */
function shownFrom(rotation: Rotation, from: number, seconds: number): [second: number, board: string][] {
  const seen: [number, string][] = []
  let now = rotation
  for (let second = 0; second <= seconds; second++) {
    now = advance(now, from + second * 1_000)
    if (seen.at(-1)?.[1] !== now.shown) seen.push([second, now.shown])
  }
  return seen
}

test('each board is shown for its time, and after the last the first one follows', () => {
  expect(shownFrom(begin(), 0, 95)).toEqual([
    [0, 'capacity'],
    [30, 'jobs'],
    [60, 'growth'],
    [90, 'capacity'],
  ])
})

test('a wall with one board has turns too, so that a new build is noticed', () => {
  const alone = advance(beginRotation(['growth'], everyMs, 0), everyMs)
  expect([alone.shown, alone.turn]).toEqual(['growth', 1])
})

test('an alarm shows its board for one turn, and then the interrupted board again', () => {
  const alarmed = raise(begin(), 'growth', 10_000)
  expect(shownFrom(alarmed, 10_000, 65)).toEqual([
    [0, 'growth'],
    [30, 'capacity'],
    [60, 'jobs'],
  ])
})

test('the board of an alarm is framed for twenty seconds', () => {
  const alarmed = raise(begin(), 'jobs', 5_000)
  expect(advance(alarmed, 5_000 + frameMs - 1).isFramed).toBe(true)
  expect(advance(alarmed, 5_000 + frameMs)).toMatchObject({ isFramed: false, shown: 'jobs' })
  const alone = raise(beginRotation(['jobs'], 10_000, 0), 'jobs', 9_000)
  expect(advance(alone, 18_000)).toMatchObject({ isFramed: true })
})

test('an alarm of the board that is shown gives it a whole turn from then on', () => {
  const alarmed = raise(begin(), 'capacity', 29_000)
  expect(alarmed.isFramed).toBe(true)
  expect(shownFrom(alarmed, 29_000, 35)).toEqual([
    [0, 'capacity'],
    [30, 'jobs'],
  ])
  expect(raise(alarmed, 'growth', 30_000)).toMatchObject({ shown: 'capacity', alarms: ['growth'] })
})

test('an alarm during the turn of another waits for its own, and none is shown twice', () => {
  let rotation = raise(begin(), 'jobs', 1_000)
  for (const at of [2_000, 3_000]) rotation = raise(rotation, 'growth', at)
  expect(rotation.shown).toBe('jobs')
  expect(shownFrom(rotation, 3_000, 100)).toEqual([
    [0, 'jobs'],
    [28, 'growth'],
    [58, 'capacity'],
    [88, 'jobs'],
  ])
})

test('an alarm of a board that was not chosen changes nothing', () => {
  const rotation = begin()
  expect(raise(rotation, 'agents', 1_000)).toBe(rotation)
})

test('a wall that is held stays during all events until it is released', () => {
  const held = raise(hold(begin(), 1_000), 'jobs', 2_000)
  expect(shownFrom(held, 2_000, 600)).toEqual([[0, 'capacity']])
  expect(hold(held, 700_000)).toMatchObject({ shown: 'jobs', isFramed: true, isHeld: false })
  expect(hold(hold(begin(), 1_000), 90_000)).toMatchObject({ shown: 'capacity', since: 90_000 })
})

test('the keys move forward and back around the end', () => {
  expect([step(begin(), 1, 5).shown, step(begin(), -1, 5).shown]).toEqual(['jobs', 'growth'])
})

test('nothing is drawn again while nothing is due', () => {
  const rotation = begin()
  expect(advance(rotation, everyMs - 1)).toBe(rotation)
})

test('the picture moves each minute, and never further than 0.4', () => {
  const places = Array.from({ length: 600 }, (_, minute) => shiftAt(minute * 60_000))
  for (const { x, y } of places) expect(Math.hypot(x, y)).toBeLessThanOrEqual(0.4 + 1e-9)
  expect(Math.max(...places.map(({ x, y }) => Math.hypot(x, y)))).toBeGreaterThan(0.39)
  const moved = places.slice(1).map(({ x, y }, i) => Math.hypot(x - (places[i]?.x ?? 0), y - (places[i]?.y ?? 0)))
  expect(Math.min(...moved)).toBeGreaterThan(0.05)
  expect(shiftAt(59_999)).toEqual(shiftAt(0))
})

test('the address names the boards, their time and the colours, and wrong words are left out', () => {
  expect(readWallAddress('?boards=jobs,globe,%20Capacity,jobs&every=45&scheme=dark&token=abc')).toEqual({
    boards: ['jobs', 'capacity'],
    leftOut: ['globe'],
    every: 45,
    scheme: 'dark',
    token: 'abc',
  })
  const plain = { boards: undefined, leftOut: [], every: undefined, scheme: undefined, token: undefined }
  expect(readWallAddress('')).toEqual(plain)
  expect(readWallAddress('?boards=globe&every=often&scheme=pink')).toEqual({ ...plain, leftOut: ['globe'] })
  expect(['1', '9999'].map((every) => readWallAddress(`?every=${every}`).every)).toEqual([10, 300])
})

test('the token leaves the address and nothing else does', () => {
  expect(withoutToken('http://host/wall?boards=jobs&token=abc&every=20')).toBe('/wall?boards=jobs&every=20')
})

test('empty boards are skipped, unless all are empty; the keys still lead to them', () => {
  const rotation = beginRotation(['capacity', 'jobs', 'growth', 'map'], 30_000, 0)
  const empty = new Set(['jobs', 'growth'] as const)
  const next = advance(rotation, 30_000, empty)
  expect(next.shown).toBe('map')
  expect(advance(next, 60_000, empty).shown).toBe('capacity')
  expect(step(rotation, 1, 10_000).shown).toBe('jobs')
  expect(advance(rotation, 30_000, new Set(rotation.boards)).shown).toBe('jobs')
})

test('other options apply at once, and the board on the display stays if it is still chosen', () => {
  const rotation = step(beginRotation(['capacity', 'jobs', 'map'], 30_000, 0), 2, 5_000)
  expect(withOptions(rotation, ['capacity', 'jobs', 'map'], 30_000, 6_000)).toBe(rotation)
  const fewer = withOptions(rotation, ['map', 'jobs'], 10_000, 6_000)
  expect([fewer.shown, fewer.place, fewer.turn, fewer.every]).toEqual(['map', 0, rotation.turn, 10_000])
  expect(withOptions(rotation, ['agents', 'jobs'], 30_000, 6_000)).toMatchObject({ shown: 'agents', place: 0 })
})

test('options in the address win over the settings, for displays of earlier versions', () => {
  const settings = WallOptions.parse({ boards: ['map'], every: 60, scheme: 'light' })
  expect(optionsOf(readWallAddress('?boards=jobs&scheme=dark'), settings)).toEqual({
    boards: ['jobs'],
    every: 60,
    scheme: 'dark',
  })
  expect(optionsOf(readWallAddress(''), undefined)).toEqual(WallOptions.parse({}))
})
