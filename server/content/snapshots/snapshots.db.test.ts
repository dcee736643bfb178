import { beforeAll, expect, test } from 'vitest'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { commitScan, type Step } from './commit/commitScan.ts'
import { listSnapshotDates } from './reading/listSnapshotDates.ts'
import { listVolumes } from './reading/listVolumes.ts'
import { newDisk } from './oracle/disk.ts'
import { newRandom } from './oracle/random.ts'
import { newScan, newVolume, stage } from './oracle/scanDisk.ts'
import { walkDisk } from './oracle/walkDisk.ts'
import { snapshotAt } from './reading/snapshotAt.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

const random = newRandom(6)
const disk = newDisk(random, 20)

async function commit(
  volumeId: number,
  indexingDate: string,
  cloneIndex = true,
  onStep?: (step: Step) => Promise<void>,
): Promise<number> {
  const scanId = await newScan(stores, { volumeId, indexingDate, cloneIndex })
  await stage(stores, random, scanId, walkDisk(disk))
  await commitScan(stores, scanId, async () => {}, onStep)
  return scanId
}

const shown = async (date?: string) => {
  const snapshot = await snapshotAt(stores.db, 'everything', date)
  return snapshot && [snapshot.indexingDate, snapshot.volumes.map(({ volumeId, scanId }) => [volumeId, scanId])]
}

test('a date shows the last scan of its day, and other volumes as they were last', async () => {
  expect(await shown()).toBeUndefined()
  const [one, two] = [await newVolume(stores, 'One'), await newVolume(stores, 'two')]
  const first = await commit(one, '2026-01-02')
  expect(await shown('2026-01-01')).toBeUndefined()
  const second = await commit(two, '2026-01-04')
  expect(await shown('2026-01-03')).toEqual(['2026-01-02', [[one, first]]])
  expect(await shown()).toEqual([
    '2026-01-04',
    [
      [one, first],
      [two, second],
    ],
  ])
  const again = await commit(two, '2026-01-04')
  expect(await shown('2026-02-01')).toEqual([
    '2026-01-04',
    [
      [one, first],
      [two, again],
    ],
  ])

  const began = await commit(one, '2026-01-03', false)
  expect(await shown('2026-01-03')).toEqual(['2026-01-03', [[one, began]]])
  expect(await shown()).toEqual([
    '2026-01-04',
    [
      [one, began],
      [two, again],
    ],
  ])
  const alone = await commit(two, '2026-01-05', false)
  expect(await shown()).toEqual(['2026-01-05', [[two, alone]]])

  expect(await listSnapshotDates(stores.db, 'everything')).toEqual([
    { indexingDate: '2026-01-05', volumes: 1, isPartial: false },
    { indexingDate: '2026-01-04', volumes: 2, isPartial: false },
    { indexingDate: '2026-01-03', volumes: 1, isPartial: false },
    { indexingDate: '2026-01-02', volumes: 1, isPartial: false },
  ])
})

test('a first scan that ends after later dates were made is shown on those that keep all in sight', async () => {
  const [known, early] = [await newVolume(stores, 'Known'), await newVolume(stores, 'Early')]
  const onMonday = await commit(known, '2026-03-02', false)
  const onTuesday = await commit(known, '2026-03-03')
  const alone = await commit(known, '2026-03-04', false)
  const late = await commit(early, '2026-03-02', false)
  const of = async (date: string) => (await shown(date))?.[1] as number[][]
  expect(await of('2026-03-02')).toEqual([
    [known, onMonday],
    [early, late],
  ])
  expect(await of('2026-03-03')).toEqual(
    expect.arrayContaining([
      [known, onTuesday],
      [early, late],
    ]),
  )
  expect(await of('2026-03-04')).toEqual([[known, alone]])
})

test('a volume that is deleted while another one makes a date is not on it', async () => {
  const [kept, gone] = [await newVolume(stores, 'Kept'), await newVolume(stores, 'Gone')]
  await commit(gone, '2026-04-01', false)
  const last = await commit(kept, '2026-04-02', true, async (step) => {
    if (step !== 'duplicates') return
    const deletedAt = new Date()
    await stores.db.updateTable('volumes').set({ deletedAt }).where('id', '=', gone).execute()
  })
  const volumes = (await shown())?.[1] as number[][]
  expect(volumes).toContainEqual([kept, last])
  expect(volumes.map(([volumeId]) => volumeId)).not.toContain(gone)
})

test('volumes of a date are listed in pages, by any of their columns', async () => {
  const at = { indexingDate: '2026-01-04', page: 1, size: 1 }
  const page = await listVolumes(stores, 'everything', { ...at, sort: 'name', direction: 'desc' })
  expect(page).toMatchObject({ elements: [{ name: 'two' }], page: 1, total: 2, size: 1, sort: 'name' })
  const files = [...walkDisk(disk)].filter((each) => each.kind === 'entry' && !each.row.isDirectory)
  expect(page.elements[0]?.numberOfFiles).toBe(files.length)
  expect((await listVolumes(stores, 'everything', { ...at, page: 2 })).elements).toMatchObject([{ name: 'two' }])
  await expect(listVolumes(stores, 'everything', { ...at, sort: 'nothing' })).rejects.toMatchObject({ status: 400 })
})
