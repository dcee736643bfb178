import { beforeAll, expect, test } from 'vitest'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import type { BlockWriter } from '#events/node/blocks/blockWriter.ts'
import type { EntryRow, FileTotals } from '#events/scans/entryRow.ts'
import { staging } from '#server/workers/ingest/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { insertBatch, newScan, newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { rowOf } from '#server/content/snapshots/oracle/scanFolders.ts'
import { commitScan, type Step } from './commitScan.ts'
import { UnfitMarks } from './sameFiles.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

const file: EntryRow = rowOf({ path: '/' })
const folder = (path: string): EntryRow => {
  const nameAt = path.lastIndexOf('/') + 1
  return { ...file, parentPath: path.slice(0, nameAt), name: path.slice(nameAt), isDirectory: true, inode: nameAt }
}
type Add = (rows: BlockWriter) => void

/** A folder with two files, and a subfolder with two files and a newer one. */
const addRoot: Add = (rows) => {
  rows.add(folder(''))
  rows.add(folder('/a'))
  rows.addListed(folder(''), 1)
}
const addFiles: (path: string, times?: number[], more?: Partial<EntryRow>) => Add =
  (path, times = [file.modified, file.modified], more = {}) =>
  (rows) =>
    times.forEach((modified, n) => rows.add({ ...file, parentPath: `${path}/`, name: `${n}`, modified, ...more }))
const addInner: Add = (rows) => {
  rows.add(folder('/a/b'))
  addFiles('/a/b', [file.modified, 1_700_000_000])(rows)
  rows.addListed(folder('/a/b'), 2)
}
const addFirst: Add = (rows) => {
  addRoot(rows)
  addFiles('/a')(rows)
  rows.addListed(folder('/a'), 3)
  addInner(rows)
}
const ofTwo: FileTotals = {
  files: 2,
  size: 20,
  allocatedSize: 1024,
  accessed: file.accessed,
  modified: file.modified,
}

let day = 0
const date = () => `2026-01-${String(day).padStart(2, '0')}`

/** Commits sent rows, compared with a scan; returns the completed steps. */
async function scan(volumeId: number, add: Add, comparedWith?: number) {
  day++
  const scanId = await newScan(stores, { volumeId, indexingDate: date() })
  const { clickhouse } = stores
  await staging.create(clickhouse, scanId, { comparedWith })
  await insertBatch({ clickhouse }, scanId, { id: { attempt: 1, batch: 1 }, block: blockOf(add) })
  const missing = await staging.missing(clickhouse, scanId, { attempt: 1, batches: 1, progress: { entries: 0 } })
  expect(missing).toBeUndefined()
  const steps: Step[] = []
  const end = commitScan(
    stores,
    scanId,
    async () => {},
    (step) => void steps.push(step),
  )
  await end.catch(() => stores.db.updateTable('scans').set({ state: 'failed' }).where('id', '=', scanId).execute())
  return { scanId, end, steps }
}
const generationOf = async (volumeId: number) =>
  (await stores.db.selectFrom('volumes').select('generation').where('id', '=', volumeId).executeTakeFirstOrThrow())
    .generation

test('when all files of all folders are as before, their versions are neither read nor written', async () => {
  const volumeId = await newVolume(stores, 'same')
  const { scanId } = await scan(volumeId, addFirst)
  const [generation, rows] = [await generationOf(volumeId), await readRows(stores, volumeId, date())]
  const again = await scan(
    volumeId,
    (rows) => {
      addRoot(rows)
      rows.addUnchanged(folder('/a'), scanId, ofTwo)
      rows.addListed(folder('/a'), 3)
      rows.add(folder('/a/b'))
      rows.addUnchanged(folder('/a/b'), scanId, { ...ofTwo, modified: 1_700_000_000 })
      rows.addListed(folder('/a/b'), 2)
    },
    scanId,
  )
  expect(again.steps).not.toContain('written')
  expect(await generationOf(volumeId)).toBe(generation)
  expect(await readRows(stores, volumeId, date())).toEqual(rows)
})

test('a folder with another owner, and a deleted one, make versions next to omitted files', async () => {
  const volumeId = await newVolume(stores, 'folders')
  const { scanId } = await scan(volumeId, addFirst)
  const left =
    (owner: string): Add =>
    (rows) => {
      rows.add(folder(''))
      rows.add({ ...folder('/a'), owner })
      rows.addListed(folder(''), 1)
      rows.addUnchanged(folder('/a'), scanId, ofTwo)
    }
  const withInner: Add = (rows) => {
    left('bob')(rows)
    rows.addListed(folder('/a'), 3)
    rows.add(folder('/a/b'))
    rows.addUnchanged(folder('/a/b'), scanId, { ...ofTwo, modified: 1_700_000_000 })
    rows.addListed(folder('/a/b'), 2)
  }
  const second = await scan(volumeId, withInner, scanId)
  const paths = async () => {
    const rows = [...(await readRows(stores, volumeId, date())).values()]
    return rows.map((row) => [row.parentPath + row.name, row.fromScan, row.owner, row.files, row.lastModified])
  }
  const [old, now] = [scanId, second.scanId]
  expect(await paths()).toEqual([
    ['', old, 'ana', 4, 1_700_000_000],
    ['/a', now, 'bob', 4, 1_700_000_000],
    ['/a/0', old, 'ana', 0, file.modified],
    ['/a/1', old, 'ana', 0, file.modified],
    ['/a/b', old, 'ana', 2, 1_700_000_000],
    ['/a/b/0', old, 'ana', 0, file.modified],
    ['/a/b/1', old, 'ana', 0, 1_700_000_000],
  ])
  const third = await scan(
    volumeId,
    (rows) => {
      rows.add(folder(''))
      rows.add({ ...folder('/a'), owner: 'bob' })
      rows.addListed(folder(''), 1)
      rows.addUnchanged(folder('/a'), now, ofTwo)
      rows.addListed(folder('/a'), 2)
    },
    now,
  )
  expect(await paths()).toEqual([
    ['', third.scanId, 'ana', 2, file.modified],
    ['/a', third.scanId, 'bob', 2, file.modified],
    ['/a/0', old, 'ana', 0, file.modified],
    ['/a/1', old, 'ana', 0, file.modified],
  ])
  const counted = await stores.clickhouse.rows(sql`
    SELECT scan, toFloat64(sum(files)) AS files FROM volume_statistics
    WHERE volume = ${volumeId} AND dimension = 'SIZE' GROUP BY scan ORDER BY scan`)
  expect(counted.map((row) => (row as { files: number }).files)).toEqual([4, 4, 2])
})

/** Marks that call the files of `/a` unchanged but don't match them. */
const unfit: Record<string, (rows: BlockWriter, scanId: number) => void> = {
  'of another size': (rows, scanId) => rows.addUnchanged(folder('/a'), scanId, { ...ofTwo, size: 21 }),
  'of another allocated size': (rows, scanId) =>
    rows.addUnchanged(folder('/a'), scanId, { ...ofTwo, allocatedSize: 0 }),
  'newer than any': (rows, scanId) => rows.addUnchanged(folder('/a'), scanId, { ...ofTwo, modified: 1_700_000_001 }),
  'accessed after all': (rows, scanId) => rows.addUnchanged(folder('/a'), scanId, { ...ofTwo, accessed: 2 ** 52 }),
  'of absurd numbers': (rows, scanId) =>
    rows.addUnchanged(folder('/a'), scanId, { ...ofTwo, size: 2 ** 62, allocatedSize: 2 ** 62 }),
  'that were sent besides': (rows, scanId) => {
    addFiles('/a', [1])(rows)
    rows.addUnchanged(folder('/a'), scanId, { ...ofTwo, files: 1, size: 10, allocatedSize: 512 })
  },
  'in parts': (rows, scanId) => {
    for (let n = 0; n < 2; n++)
      rows.addUnchanged(folder('/a'), scanId, { ...ofTwo, files: 1, size: 10, allocatedSize: 512 })
  },
}
test.each(Object.keys(unfit))('a scan that leaves out files %s makes no snapshot', async (kind) => {
  const volumeId = await newVolume(stores, kind)
  const { scanId } = await scan(volumeId, addFirst)
  const before = [await generationOf(volumeId), await readRows(stores, volumeId, '2999-01-01')]
  const { end, steps } = await scan(
    volumeId,
    (rows) => {
      addRoot(rows)
      unfit[kind]?.(rows, scanId)
      rows.addListed(folder('/a'), 3)
      addInner(rows)
    },
    scanId,
  )
  await expect(end).rejects.toThrow(UnfitMarks)
  expect(steps).toEqual([])
  expect([await generationOf(volumeId), await readRows(stores, volumeId, '2999-01-01')]).toEqual(before)
})

test.each([1, 3])('a scan that leaves out %i files of a folder that has two makes no snapshot', async (files) => {
  const volumeId = await newVolume(stores, `of ${files}`)
  const { scanId } = await scan(volumeId, addFirst)
  const { end } = await scan(
    volumeId,
    (rows) => {
      addRoot(rows)
      rows.addUnchanged(folder('/a'), scanId, { ...ofTwo, files })
      rows.addListed(folder('/a'), files + 1)
      addInner(rows)
    },
    scanId,
  )
  await expect(end).rejects.toThrow(UnfitMarks)
})

test('files of hard links, and of folders that are not known, are never left out', async () => {
  const volumeId = await newVolume(stores, 'links')
  const linked = { linkCount: 2, inode: 5 }
  const { scanId } = await scan(volumeId, (rows) => {
    addRoot(rows)
    addFiles('/a', [file.modified, file.modified], linked)(rows)
    rows.addListed(folder('/a'), 2)
  })
  const say = (path: string, totals: FileTotals) =>
    scan(
      volumeId,
      (rows) => {
        rows.add(folder(''))
        rows.add(folder(path))
        rows.addListed(folder(''), 1)
        rows.addUnchanged(folder(path), scanId, totals)
        rows.addListed(folder(path), 2)
      },
      scanId,
    )
  await expect((await say('/a', ofTwo)).end).rejects.toThrow(UnfitMarks)
  await expect((await say('/unknown', ofTwo)).end).rejects.toThrow(UnfitMarks)
})
