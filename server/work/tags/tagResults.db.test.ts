import { beforeAll, expect, test } from 'vitest'
import type { TagPayload } from '#events/jobs/payloads.ts'
import { SearchFilters } from '#events/search/filters.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { endOfDays } from '#server/content/snapshots/index.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { tagResults } from './tagResults.ts'
import { testUser } from '#server/testing.ts'
import { changing } from './testing/changing.ts'

const platform = await testPlatform()
let [first, second] = [0, 0]
/** Current name of the moving file of the second storage. */
let current = 'old.mov'

/** A file that stays, and one that has another name each time. */
const scan = (volumeId: number, name: string, reached?: (step: string) => void) => {
  const entries = [
    { path: '/stays.mov', inode: 6 },
    { path: `/${name}`, inode: 7 },
  ]
  return scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [{ path: '', entries }], reached)
}
/** Scans the second storage after renaming its file. */
const move = async (reached?: (step: string) => void) => {
  current = `moved ${current}`
  await scan(second, current, reached)
}
beforeAll(async () => {
  first = await newVolume(platform, 'first')
  second = await newVolume(platform, 'second')
  for (const volumeId of [first, second]) await scan(volumeId, 'old.mov')
})

const tagAll = (payload: Partial<TagPayload>, stores: Platform = platform, maxTries?: number) => {
  const all = { remove: false, isDirectory: false, filters: SearchFilters.parse({}) }
  return tagResults(stores, { tags: ['one', 'two'], ...all, ...payload } as TagPayload, async () => true, maxTries)
}

/** Places with a tag, by volume and name, including places without an entry. */
async function tagged(tag: string): Promise<string[]> {
  const rows = await platform.clickhouse.rows<{ volume: number; name: string }>(sql`
    SELECT volume, name FROM entry_tags FINAL
    WHERE tag = ${tag} AND volume IN ${[first, second]} AND to_date = toDate(${endOfDays}) ORDER BY volume, name`)
  return rows.map(({ volume, name }) => `${volume === first ? 'first' : 'second'} ${name}`)
}
const everywhere = () => ['first old.mov', 'first stays.mov', `second ${current}`, 'second stays.mov']

/** Runs something once, before the tags of the second storage are collected. */
const meanwhile = (happen: () => Promise<unknown>): Platform => {
  let isOver = false
  return changing(platform, async (done, statement) => {
    if (isOver || done !== 1 || !statement.startsWith('INSERT')) return
    isOver = true
    await happen()
  })
}

test('entries that a scan moves while results are tagged have all tags, and leave none at the old place', async () => {
  expect(
    await tagAll(
      {},
      meanwhile(() => move()),
    ),
  ).toEqual({ tagged: 4, toTag: 4 })
  expect([await tagged('one'), await tagged('two')]).toEqual([everywhere(), everywhere()])
  await tagAll(
    { remove: true },
    meanwhile(() => move()),
  )
  expect([await tagged('one'), await tagged('two')]).toEqual([[], []])
})

test('entries moved before their tags followed lose the tags that are taken', async () => {
  await tagAll({})
  const killed = (step: string) => {
    if (step === 'switched') throw new Error('The server was killed')
  }
  await expect(move(killed)).rejects.toThrow('killed')
  expect(await tagAll({ remove: true })).toEqual({ tagged: 4, toTag: 4 })
  expect([await tagged('one'), await tagged('two')]).toEqual([[], []])
})

test('a job gives no tags to what its user no longer sees', async () => {
  const { db } = platform
  const { id } = await testUser(db, [])
  const limits = { userId: id, everything: false, projects: [], storages: [first, second], folders: '[]' }
  await db.insertInto('limits').values(limits).execute()
  const shrinking = changing(platform, async (done) => {
    if (done === 1)
      await db
        .updateTable('limits')
        .set({ storages: [first] })
        .where('userId', '=', id)
        .execute()
  })
  await tagAll({ tags: ['shrunk'], limitedTo: id }, shrinking)
  expect(await tagged('shrunk')).toEqual(['first old.mov', 'first stays.mov'])
})

test("a server that lost its turn without notice fails, and writes no part of another one's result", async () => {
  const losing = tagAll(
    {},
    meanwhile(() => tagAll({})),
  )
  await expect(losing).rejects.toThrow(/tag_staging/)
  expect([await tagged('one'), await tagged('two')]).toEqual([everywhere(), everywhere()])
})

test('a storage whose scans end all the time is not reported as tagged', async () => {
  let scans = 0
  const always = changing(platform, async (done, statement) => {
    if (done !== 1 || !statement.startsWith('INSERT')) return
    scans++
    await move()
  })
  await expect(tagAll({ tags: ['busy'] }, always, 2)).rejects.toThrow('while it was tagged')
  expect(scans).toBe(2)
  expect(await tagged('busy')).toEqual(['first old.mov', 'first stays.mov'])
})
