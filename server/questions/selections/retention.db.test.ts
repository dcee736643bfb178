import { beforeAll, expect, test } from 'vitest'
import { TagPayload } from '#events/jobs/payloads.ts'
import { SearchFilters } from '#events/search/filters.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { readCsv, readDownload } from '#server/platform/testing/readCsv.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { queueTagging } from '#server/work/tags/queueTagResults.ts'
import { exportSelection } from './exportSelection.ts'
import { freezeSelection } from './freezeSelection.ts'
import { findSelection, selectionsOfJob } from './readSelection.ts'
import { assignSelection, dropSelection, dropUnused } from './retention.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const selection = { filters: SearchFilters.parse({}), isDirectory: false }
const payload = TagPayload.parse({ ...selection, tags: ['x'], remove: false })
let volumeId = 0

beforeAll(async () => {
  volumeId = await newVolume(platform, 'films')
  const entries = [
    { path: '/=cmd.mov', inode: 6, size: 10 },
    { path: '/b.mov', inode: 7, size: 20 },
  ]
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [{ path: '', entries }])
})

const freeze = async () => (await freezeSelection(platform, { selection, by: system, scope: 'everything' })).id
const rowsLeft = async (id: number) =>
  (await clickhouse.one<{ rows: number }>(sql`SELECT count() AS rows FROM selected_entries WHERE selection = ${id}`))
    .rows
const assign = (id: number, jobId: number) => db.transaction().execute((trx) => assignSelection(trx, id, jobId))

test('an unused selection is dropped, and one that a job uses is kept until the job is pruned', async () => {
  const [used, unused] = [await freeze(), await freeze()]
  const jobId = await queueTagging({ db }, payload, system)
  await assign(used, jobId)
  await dropUnused(platform)
  expect([await rowsLeft(used), await rowsLeft(unused)]).toEqual([2, 2])
  await dropUnused(platform, [], 0)
  expect([await rowsLeft(used), await rowsLeft(unused)]).toEqual([2, 0])
  expect(await findSelection(db, unused)).toBeUndefined()
  expect(await selectionsOfJob(db, jobId)).toMatchObject([{ id: used, files: 2 }])
  await db.deleteFrom('jobs').where('id', '=', jobId).execute()
  await dropUnused(platform)
  expect([await rowsLeft(used), await findSelection(db, used)]).toEqual([0, undefined])
})

test('a selection belongs to one job, and none can use a dropped one', async () => {
  const id = await freeze()
  await assign(id, 71)
  await assign(id, 71)
  await expect(assign(id, 72)).rejects.toThrow('no longer available')
  await dropSelection(platform, id)
  expect([await rowsLeft(id), await findSelection(db, id)]).toEqual([0, undefined])
  await expect(assign(id, 71)).rejects.toThrow('no longer available')
})

test('entries that an interrupted freeze left are dropped', async () => {
  await clickhouse.change(sql`INSERT INTO selected_entries (selection, position) VALUES (9000, 1)`)
  await dropUnused(platform)
  expect(await rowsLeft(9000)).toBe(1)
  await dropUnused(platform, [], 0)
  expect(await rowsLeft(9000)).toBe(0)
})

test('the CSV has all rows in order, with their plan', async () => {
  const plan = () => ({ place: sql`concat('/mnt', path)`, leftOut: sql`if(name = 'b.mov', 'Busy', '')` })
  const frozen = await freezeSelection(platform, { selection, by: system, scope: 'everything', plan })
  const file = await exportSelection(platform, frozen, new AbortController().signal)
  expect(file.name).toBe(`selection-${frozen.id}-2026-01-01.csv`)
  const [head, ...rows] = readCsv(await readDownload(file))
  expect(head?.slice(-4)).toEqual(['Size (bytes)', 'Last modified', 'External path', 'Left out'])
  const cells = (row: string[]) => [...row.slice(0, 5), ...row.slice(6)]
  expect(rows.map(cells)).toEqual([
    [`'=cmd.mov`, '/films/=cmd.mov', 'films', 'File', '10', '/mnt/=cmd.mov', ''],
    ['b.mov', '/films/b.mov', 'films', 'File', '20', '/mnt/b.mov', 'Busy'],
  ])
})
