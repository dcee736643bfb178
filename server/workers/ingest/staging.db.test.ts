import { expect, test } from 'vitest'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import { rowKinds } from '#events/scans/entryRow.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { isLong } from '#server/platform/testing/cases.ts'
import { testClickHouse } from '#server/platform/testing/stores.ts'
import { batchesOf, insertBatch } from '#server/content/snapshots/oracle/scanDisk.ts'
import { newDisk, places } from '#server/content/snapshots/oracle/disk.ts'
import { leaveOut, remember } from '#server/content/snapshots/oracle/leaveOut.ts'
import { newRandom, type Random } from '#server/content/snapshots/oracle/random.ts'
import { type SentEntry, walkDisk } from '#server/content/snapshots/oracle/walkDisk.ts'
import { entry } from '#server/scanning/scans/testing/simulatedAgent.ts'
import { staging } from './index.ts'
import { tablesOf } from './scanTables.ts'

type Staged = { kind: number; parentPath: string; name: string; isDirectory: boolean; children: number; files: number }

const readStaging = (clickhouse: ClickHouse, scanId: number) =>
  clickhouse.rows<Staged>(sql`
    SELECT kind, parent_path AS parentPath, name, is_directory AS isDirectory, children, files
    FROM ${tablesOf(scanId).staging}`)

const asStaged = (seen: SentEntry): Staged =>
  seen.kind === 'unchanged'
    ? { ...seen, kind: rowKinds.unchanged, isDirectory: true, children: 0, files: seen.totals?.files ?? 0 }
    : seen.kind === 'entry'
      ? {
          kind: rowKinds.entry,
          parentPath: seen.row.parentPath,
          name: seen.row.name,
          isDirectory: seen.row.isDirectory,
          children: 0,
          files: 0,
        }
      : { ...seen, kind: rowKinds[seen.kind], isDirectory: true, files: 0 }

const sorted = (rows: Staged[]) =>
  rows
    .map(({ kind, parentPath, name, isDirectory, children, files }) =>
      JSON.stringify([parentPath, name, isDirectory, kind, children, files]),
    )
    .sort()

async function allPending(clickhouse: ClickHouse, scanId: number): Promise<string[]> {
  const paths: string[] = []
  for (;;) {
    const page = await staging.pending(clickhouse, scanId, paths.at(-1), 3)
    paths.push(...page.pending)
    if (page.morePending === 0) return paths
  }
}

/** An attempt that loses some batches on the way; says what it announces, and whether all came. */
async function attempt(
  clickhouse: ClickHouse,
  random: Random,
  scanId: number,
  n: number,
  seen: SentEntry[],
  lost: number,
) {
  const batches = batchesOf(random, n, seen)
  const arriving = batches.filter(() => !random.chance(lost))
  for (const batch of arriving) await insertBatch({ clickhouse }, scanId, batch)
  const announced = { attempt: n, batches: batches.length, progress: { entries: 0 } }
  return { announced, isWhole: arriving.length === batches.length }
}

const scans = [
  ...[1, 2, 3].map((seed) => ({ seed, below: false })),
  ...[4, 5, 6].map((seed) => ({ seed, below: true })),
  ...[7, 8, 9].map((seed) => ({ seed, below: seed === 9, known: 4 })),
]
test.each(isLong ? scans : scans.filter(({ seed }) => [1, 4, 7, 9].includes(seed)))(
  'a scan that loses batches again and again is completed by its next attempts ($seed)',
  async (scan: { seed: number; below: boolean; known?: number }) => {
    const clickhouse = await testClickHouse()
    const random = newRandom(scan.seed)
    const disk = newDisk(random, 150)
    for (const { node } of places(disk)) if (random.chance(0.05)) node.unreadable = 'wholly'
    const scannedPath = scan.below ? (places(disk).find(({ node }) => (node.children?.size ?? 0) > 1)?.path ?? '') : ''
    // Of half of the folders nothing is remembered.
    const remembered = remember(scan.known ?? 0, walkDisk(disk))
    for (const folder of remembered.folders.keys()) if (random.chance(0.5)) remembered.folders.delete(folder)
    const sent = (path: string) => {
      const seen = walkDisk(disk, path, path !== scannedPath)
      return scan.known ? leaveOut(seen, remembered) : seen
    }
    await staging.create(clickhouse, scan.seed, { comparedWith: scan.known })
    for (const [i, lost] of [0.5, 0.2, 0].entries()) {
      if (i > 0) await staging.startAttempt(clickhouse, scan.seed, i + 1, scannedPath, 'walk', scan.known)
      const pending = i > 0 ? await allPending(clickhouse, scan.seed) : staging.firstPage(scannedPath, 'walk').pending
      const seen = pending.flatMap(sent)
      const { announced, isWhole } = await attempt(clickhouse, random, scan.seed, i + 1, seen, lost)
      const missing = await staging.missing(clickhouse, scan.seed, announced, scannedPath)
      expect({ missing, isWhole: missing === undefined }).toEqual({ missing, isWhole })
    }
    const whole = sent(scannedPath).map(asStaged)
    expect(sorted(await readStaging(clickhouse, scan.seed))).toEqual(sorted(whole))
    await staging.drop(clickhouse, scan.seed)
  },
)

test('a scan of a folder that lost all of it but the folders above lists it again', async () => {
  const clickhouse = await testClickHouse()
  const disk = newDisk(newRandom(1), 50)
  const scannedPath = places(disk).find(({ node, path }) => node.children && path !== '')?.path ?? ''
  const above = walkDisk(disk, scannedPath).slice(0, 1)
  await staging.create(clickhouse, 21)
  for (const batch of batchesOf(newRandom(1), 1, above)) await insertBatch({ clickhouse }, 21, batch)
  await staging.startAttempt(clickhouse, 21, 2, scannedPath)
  expect(await allPending(clickhouse, 21)).toEqual([scannedPath])
  expect(await readStaging(clickhouse, 21)).toEqual([])
})

test('missing parts are explained in words', async () => {
  const clickhouse = await testClickHouse()
  await staging.create(clickhouse, 20)
  const announced = { attempt: 1, batches: 3, progress: { entries: 0 } }
  expect(await staging.missing(clickhouse, 20, announced)).toBe('3 of 3 batches (such as 1)')
  const random = newRandom(20)
  const seen = walkDisk(newDisk(random, 30))
  const entry = seen.findIndex((each) => each.kind === 'entry' && each.row.parentPath === '/')
  const batches = batchesOf(random, 1, seen.toSpliced(entry, 1))
  for (const batch of batches) await insertBatch({ clickhouse }, 20, batch)
  const all = { ...announced, batches: batches.length }
  expect(await staging.missing(clickhouse, 20, all)).toMatch(/^entries of the storage itself \(\d+ of \d+ came\)$/)
  await staging.drop(clickhouse, 20)
})

test('a late batch of an older attempt is refused by the table', async () => {
  const clickhouse = await testClickHouse()
  const [batch] = batchesOf(newRandom(1), 1, walkDisk(newDisk(newRandom(1), 5)))
  if (!batch) throw new Error('There is no batch')
  await staging.create(clickhouse, 21)
  await staging.startAttempt(clickhouse, 21, 2)
  await expect(insertBatch({ clickhouse }, 21, batch)).rejects.toMatchObject({ type: 'VIOLATED_CONSTRAINT' })
  expect(await readStaging(clickhouse, 21)).toEqual([])
  await staging.drop(clickhouse, 21)
})

test('folders that an older attempt reported as unchanged are listed again', async () => {
  const clickhouse = await testClickHouse()
  const disk = newDisk(newRandom(2), 60)
  const seen = walkDisk(disk)
  const send = async (attempt: number, comparedWith: number | undefined, marked: number | undefined) => {
    if (attempt > 1) await staging.startAttempt(clickhouse, 22, attempt, '', 'walk', comparedWith)
    const sent = marked ? leaveOut(seen, remember(marked, seen)) : seen
    for (const batch of batchesOf(newRandom(1), attempt, sent)) await insertBatch({ clickhouse }, 22, batch)
    return sent.length
  }
  await staging.create(clickhouse, 22, { comparedWith: 5 })
  expect(await send(1, 5, 5)).toBeLessThan(seen.length)
  await expect(send(2, 6, 5)).rejects.toMatchObject({ type: 'VIOLATED_CONSTRAINT' })
  expect((await readStaging(clickhouse, 22)).filter(({ kind }) => kind === 4)).toEqual([])
  await expect(send(3, undefined, 5)).rejects.toMatchObject({ type: 'VIOLATED_CONSTRAINT' })
  await staging.startAttempt(clickhouse, 22, 4)
  expect(await allPending(clickhouse, 22)).toContain('')
  await send(5, undefined, undefined)
  expect(sorted(await readStaging(clickhouse, 22))).toEqual(sorted(seen.map(asStaged)))
  await staging.drop(clickhouse, 22)
})

/** Places that lead out of a storage, or that no file system has. */
const oddPlaces = [
  { parentPath: '/', name: '..' },
  { parentPath: '/', name: '.' },
  { parentPath: '/', name: '' },
  { parentPath: '/', name: 'a\0b' },
  { parentPath: '/../', name: 'shadow' },
  { parentPath: '/./', name: 'a' },
  { parentPath: '/a/../../etc/', name: 'passwd' },
  { parentPath: '//', name: 'a' },
  { parentPath: '/a//b/', name: 'c' },
  { parentPath: '/a\0/', name: 'b' },
]
const oddTargets = ['/..', '/a/../b', '/./a', '//a', '/', '/a/', '/a\0b']

type AddRows = Parameters<typeof blockOf>[0]

/** Inserts each row as a batch of its own, as a first attempt that is compared with scan 1. */
async function insertEach(clickhouse: ClickHouse, scanId: number, hasKeys: boolean, rows: AddRows[]) {
  await staging.create(clickhouse, scanId, { hasKeys, comparedWith: 1 })
  const reasons: unknown[] = []
  for (const [i, add] of rows.entries())
    await insertBatch({ clickhouse }, scanId, { id: { attempt: 1, batch: i + 1 }, block: blockOf(add) }).catch(
      (error: { type?: unknown }) => reasons.push(error.type),
    )
  const taken = await readStaging(clickhouse, scanId)
  await staging.drop(clickhouse, scanId)
  return { reasons, taken: taken.length }
}

test('a scan of files refuses names and folders that no file system has, in entries, marks and moves', async () => {
  const folder = { parentPath: '/', name: 'a' }
  const refused = await insertEach(await testClickHouse(), 23, false, [
    ...oddPlaces.flatMap((place): AddRows[] => [
      (rows) => rows.add({ ...entry, ...place, isDirectory: false }),
      (rows) => rows.add({ ...entry, ...place }),
      (rows) => rows.addListed(place, 0),
      (rows) => rows.addUnreadable(place),
      (rows) => rows.addGone(place, 1),
    ]),
    ...oddTargets.map(
      (to): AddRows =>
        (rows) =>
          rows.addGone(folder, 1, to),
    ),
  ])
  const count = oddPlaces.length * 5 + oddTargets.length
  expect(refused).toEqual({ reasons: Array.from({ length: count }, () => 'VIOLATED_CONSTRAINT'), taken: 0 })
})

test('names with dots, the storage itself and checkpoints are different names', async () => {
  const places = ['...', '..a', 'a..', '.a', ' '].map((name) => ({ parentPath: '/.../..a/', name }))
  const taken = await insertEach(await testClickHouse(), 24, false, [
    ...places.map(
      (place): AddRows =>
        (rows) =>
          rows.add({ ...entry, ...place }),
    ),
    (rows) => rows.addListed({ parentPath: '', name: '' }, 1),
    (rows) => rows.addCheckpoint(['/a/..', '']),
    (rows) => rows.addGone({ parentPath: '/', name: 'a' }, 1, '/..b/...'),
  ])
  expect(taken).toEqual({ reasons: [], taken: places.length + 3 })
})

test('a scan of objects takes any text between the slashes of a key', async () => {
  const objects = oddPlaces.map(
    (place): AddRows =>
      (rows) =>
        rows.add({ ...entry, ...place, isDirectory: false }),
  )
  expect(await insertEach(await testClickHouse(), 25, true, objects)).toEqual({ reasons: [], taken: oddPlaces.length })
})
