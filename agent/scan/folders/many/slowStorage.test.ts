import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { contradictions, isListed, isUnreadable, pathOf, type Row, totals } from '#agent/testing/decodeRows.ts'
import { find, totalsOfFind } from '#agent/testing/find.ts'
import { missingForSlowFs, mountSlowFs } from '#agent/testing/slowFs.ts'
import { orderOf, walked } from '#agent/testing/walked.ts'
import { walkElsewhere } from '#agent/testing/walkedElsewhere.ts'
import { waysOfLookups } from '../../../systems/local/lookups/lookups.ts'

const estale = 116
const eio = 5
const eacces = 13
const isNotEntered = (row: Row) => row.not_entered !== ''
const pace = { maxLookups: 256, maxEntriesPerSecond: null, quietHours: null, timeZone: 'UTC' }

describe.skipIf(missingForSlowFs()).each(waysOfLookups)('a storage that answers late, walked through a %s,', (way) => {
  test('gets many calls at once, up to the limit, and reports how many and how long they take', async () => {
    const slow = await mountSlowFs({ folders: 60, files: 50, links: 2, latency: 5_000 })
    const { rows, paces } = await walkElsewhere(slow.mount, {}, { way }).ended
    const { mostWaiting } = await slow.calls()
    expect(totals(rows)).toMatchObject({ files: 60 * 50 })
    expect(contradictions(rows)).toEqual([])
    expect(mostWaiting).toBeGreaterThan(4)
    expect(Math.max(...paces.map(({ latencyMs }) => latencyMs))).toBeGreaterThanOrEqual(5)
    await slow.unmount()
    const limited = await mountSlowFs({ folders: 20, files: 50, latency: 2_000 })
    const { rows: sameRows } = await walkElsewhere(limited.mount, { pace: { ...pace, maxLookups: 3 } }, { way }).ended
    expect(totals(sameRows)).toMatchObject({ files: 20 * 50 })
    expect((await limited.calls()).mostWaiting).toBeLessThanOrEqual(3 + 1)
    await limited.unmount()
  })

  test('that never answers for a folder has an unreadable folder, and all others', async () => {
    const slow = await mountSlowFs({ folders: 40, files: 20, latency: 1_000, hang: ['d7', 'f3'] })
    const { rows, unreadable } = await walkElsewhere(slow.mount, {}, { way, answerMs: 1_000 }).ended
    const reasons = new Set(unreadable.map(({ error }) => error))
    await slow.unmount()
    expect(reasons).toEqual(new Set(['The storage did not answer for 1 second']))
    expect(rows.filter(isUnreadable).length).toBeGreaterThan(0)
    expect(contradictions(rows)).toEqual([])
  })

  test('that stops answering at all is given up at once, not folder by folder', async () => {
    const slow = await mountSlowFs({ folders: 500, files: 20, latency: 2_000 })
    const walking = walkElsewhere(slow.mount, {}, { way, answerMs: 1_000 }).ended
    await expect.poll(async () => (await slow.calls()).calls).toBeGreaterThan(300)
    slow.suspend()
    const { rows } = await walking
    slow.resume()
    await slow.unmount()
    expect(rows.filter(isUnreadable).length).toBeGreaterThan(20)
    expect(rows.filter(isListed).length).toBeGreaterThan(0)
    expect(contradictions(rows)).toEqual([])
  })

  test('in trouble for a moment is retried, and nothing is missing', async () => {
    const fail = [
      { name: 'd3', errno: estale, count: 2 },
      { name: 'd5', errno: eio, count: 1 },
      { name: 'f4', errno: estale, count: 2 },
    ]
    const slow = await mountSlowFs({ folders: 30, files: 20, latency: 500, fail })
    const { rows, unreadable } = await walked(orderOf(slow.mount), [], { way })
    expect(unreadable).toEqual([])
    expect(totals(rows)).toEqual({ ...totalsOfFind(find(slow.mount)), bytes: expect.any(Number) })
    expect(contradictions(rows)).toEqual([])
    await slow.unmount()
  })

  test('that stays in trouble has unreadable folders with the reason', async () => {
    const fail = [{ name: 'd3/', errno: estale, count: 1_000 }]
    const slow = await mountSlowFs({ folders: 10, files: 20, latency: 500, fail })
    const { rows, unreadable } = await walked(orderOf(slow.mount), [], { way })
    await slow.unmount()
    expect(unreadable.map(({ error }) => error)).toEqual(['ESTALE: stale file handle'])
    expect(rows.filter(isUnreadable).map(pathOf)).toEqual([expect.stringMatching(/d3$/)])
  })

  test('has folders with equal times, which are examined without a wait for each other', async () => {
    const slow = await mountSlowFs({ folders: 100, files: 3, latency: 500, copied: 1, hang: ['d7/'] })
    const { rows, unreadable } = await walkElsewhere(slow.mount, {}, { way, answerMs: 1_000 }).ended
    await slow.unmount()
    // The folder above d7 has no other folder than d6.
    expect(unreadable.map(({ path }) => path)).toEqual(['/t3'])
    expect(totals(rows)).toMatchObject({ files: 98 * 3 })
    expect(contradictions(rows)).toEqual([])
  })

  test('has folders with equal times that cannot be opened, which are unreadable', async () => {
    const fail = [{ name: 'd7/', errno: eacces, count: 1_000 }]
    const slow = await mountSlowFs({ folders: 100, files: 3, latency: 500, copied: 1, fail })
    const { rows, unreadable } = await walked(orderOf(slow.mount), [], { way })
    await slow.unmount()
    expect(unreadable.map(({ path }) => path)).toEqual(['/t3/d7'])
    expect(totals(rows)).toMatchObject({ files: 99 * 3 })
  })

  test('has a folder that is the root again, which is not entered', async () => {
    for (const copied of [0, 1]) {
      const slow = await mountSlowFs({ folders: 10, files: 3, latency: 500, copied, again: 1 })
      const { rows } = await walked(orderOf(slow.mount), [], { way })
      expect(rows.filter(isNotEntered).map((row) => [pathOf(row), row.not_entered])).toEqual([
        ['/again', 'sameFolder:/'],
      ])
      expect(totals(rows)).toMatchObject({ files: 10 * 3 })
      await slow.unmount()
    }
  })

  test('is left when the scan is stopped, also while it does not answer', async () => {
    const slow = await mountSlowFs({ folders: 500, files: 20, latency: 2_000 })
    const walk = walkElsewhere(slow.mount, {}, { way })
    await expect.poll(async () => (await slow.calls()).calls).toBeGreaterThan(100)
    slow.suspend()
    walk.stop()
    expect(await Promise.race([walk.ended, wait(20_000, 'still walking')])).toEqual({ failed: 'stopped' })
    slow.resume()
    await slow.unmount()
  })
})

describe.skipIf(missingForSlowFs())('a storage', () => {
  test('that turns out to be slow gets many calls at once from the middle of a folder on', async () => {
    const slow = await mountSlowFs({ folders: 4, files: 2_000, links: 3, latency: 500 })
    const { rows } = await walked(orderOf(slow.mount), [], { way: 'measured' })
    expect((await slow.calls()).mostWaiting).toBeGreaterThan(4)
    expect(totals(rows)).toMatchObject({ files: 4 * 2_000 })
    expect(contradictions(rows)).toEqual([])
    await slow.unmount()
  })

  test('with a limit of entries per second is read no faster, with one call after another and with many', async () => {
    const slow = await mountSlowFs({ folders: 4, files: 25, latency: 0 })
    for (const way of ['alone', 'ring'] as const) {
      const startMs = Date.now()
      const limited = { pace: { ...pace, maxEntriesPerSecond: 50 } }
      expect(totals((await walkElsewhere(slow.mount, limited, { way }).ended).rows)).toMatchObject({ files: 100 })
      // Those of the first second, and of the last, may be read in a moment.
      expect(Date.now() - startMs).toBeGreaterThanOrEqual(1_000)
    }
    await slow.unmount()
  })
})
