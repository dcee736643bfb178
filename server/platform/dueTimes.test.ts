import { beforeAll, expect, test } from 'vitest'
import { dueBy as dueOf, shownTimes } from './dueTimes.ts'

beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin'
})

const dueBy = (cron: string, first: Date, now: Date) => dueOf(cron, first, now, false)
const hourly = '0 0 * * * ?'
const at = (time: string) => new Date(`2026-${time}Z`)

test('a time that is due is run, and the next one waited for', () => {
  const due = { run: at('01-01T10:00'), missed: undefined, next: at('01-01T11:00') }
  expect(dueBy(hourly, at('01-01T10:00'), at('01-01T10:00'))).toEqual(due)
  expect(dueBy(hourly, at('01-01T10:00'), at('01-01T10:59'))).toEqual(due)
})

test('of several that were missed the last one is run, once', () => {
  const due = { run: at('01-01T14:00'), missed: at('01-01T10:00'), next: at('01-01T15:00') }
  expect(dueBy(hourly, at('01-01T10:00'), at('01-01T14:20'))).toEqual(due)
  const often = dueBy('* * 0-22 * * ?', at('01-01T00:00'), at('01-07T09:00'))
  expect(often).toEqual({ run: at('01-07T09:00'), missed: at('01-01T00:00'), next: at('01-07T09:01') })
})

test('runs due more than an hour ago are not caught up', () => {
  const daily = '0 0 0 * * ?'
  expect(dueBy(daily, at('01-01T23:00'), at('01-02T00:00'))).toMatchObject({ run: at('01-01T23:00') })
  const due = { run: undefined, missed: at('01-01T23:00'), next: at('01-02T23:00') }
  expect(dueBy(daily, at('01-01T23:00'), at('01-02T00:01'))).toEqual(due)
  expect(dueBy(daily, at('01-01T23:00'), at('01-04T22:59'))).toMatchObject({ run: undefined, next: at('01-04T23:00') })
})

test('after its last time a schedule waits for none', () => {
  const due = { run: at('01-01T10:00'), missed: undefined, next: null }
  expect(dueBy('0 0 11 1 1 ? 2026', at('01-01T10:00'), at('01-01T10:00'))).toEqual(due)
})

test('no time is lost or doubled while the clock changes', () => {
  for (const [from, hours] of [
    ['03-28T12:00', 36],
    ['10-24T12:00', 36],
  ] as const)
    for (const cron of ['0 30 2 * * ?', '0 0/30 2,3 * * ?', hourly]) {
      const runs: number[] = []
      let next: Date | null = at(from)
      const end = at(from).getTime() + hours * 3_600_000
      for (let now = at(from).getTime(); now < end; now += 60_000) {
        if (!next || next.getTime() > now) continue
        const due = dueBy(cron, next, new Date(now))
        expect(due.missed).toBeUndefined()
        runs.push(due.run?.getTime() ?? 0)
        next = due.next
      }
      expect(new Set(runs).size).toBe(runs.length)
      // The first run is only the start, and doesn't match the expression.
      expect([cron, runs.length - 1]).toEqual([cron, expectedRuns(cron, from)])
    }
})

/** From noon to midnight of the next day: one night in which the clock changes. */
function expectedRuns(cron: string, from: string): number {
  if (cron === hourly) return 35
  if (cron === '0 30 2 * * ?') return 1
  return from.startsWith('03') ? 2 : 4
}

test('with catching up the last missed time runs, however late', () => {
  const daily = '0 0 0 * * ?'
  const late = { run: at('01-02T23:00'), missed: at('01-01T23:00'), next: at('01-03T23:00') }
  expect(dueOf(daily, at('01-01T23:00'), at('01-03T22:59'), true)).toEqual(late)
  const yearly = { run: at('01-01T00:00'), missed: undefined, next: new Date('2026-12-31T23:00Z') }
  expect(dueOf('0 0 0 1 1 ?', at('01-01T00:00'), at('11-30T00:00'), true)).toEqual(yearly)
  const often = dueOf('* * 3 1 1 ?', new Date('2025-01-01T02:00Z'), at('11-30T00:00'), true)
  expect(often).toMatchObject({ run: at('01-01T02:59'), missed: new Date('2025-01-01T02:00Z') })
})

test('the times shown are the stored one and those after it', () => {
  expect(shownTimes('0 0 0 * * ?', at('01-01T08:00'))).toEqual([
    '2026-01-01T08:00:00.000Z',
    '2026-01-01T23:00:00.000Z',
    '2026-01-02T23:00:00.000Z',
  ])
  expect(shownTimes('0 0 0 * * ?', null)).toEqual([])
})
