import { beforeAll, expect, test } from 'vitest'
import { sql, text } from '#server/platform/clickhouse/sql.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { buckets } from '#server/content/snapshots/commit/countStatistics.ts'
import { duplicateHashes } from '#server/content/snapshots/index.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { emptySnapshot, snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { volumeTotals } from '#server/content/snapshots/reading/listVolumes.ts'
import { newest, snapshotDates } from './calendar.ts'
import { fill } from './fill.ts'

/** With fewer, the proportions checked below would not hold. */
const entries = 15_000
const stores = { db: await testDb(), clickhouse: await testClickHouse() }
const { db, clickhouse } = stores
beforeAll(() => fill(stores, entries, () => {}, 2))

/** The first date, one in the middle, and the newest. */
const dates = [snapshotDates[0]!, snapshotDates[5]!, snapshotDates.at(-1)!]

const shownOn = async (date: string) => (await snapshotAt(db, 'everything', date)) ?? emptySnapshot

type Row = {
  volume: number
  parent: string
  name: string
  isFolder: boolean
  size: number
  files: number
  folders: number
  modified: number
  hash: string
}
const rowsOn = async (date: string) =>
  clickhouse.rows<Row>(sql`
    SELECT volume, parent_path AS parent, name, is_directory AS isFolder, size, files, folders,
      toUnixTimestamp(last_modified) AS modified, hex(identification_hash) AS hash
    FROM ${entriesAt(await shownOn(date))}`)

/** The folders above an entry, computed with simple loops. */
function* foldersAbove({ volume, parent }: Row): Generator<string> {
  for (let end = parent.indexOf('/'); end >= 0; end = parent.indexOf('/', end + 1))
    yield `${volume}:${parent.slice(0, end + 1)}`
}
const pathOf = ({ volume, parent, name }: Row) => `${volume}:${parent}${name}/`

test('the requested number of entries exists, half of them in storages of studios', async () => {
  const rows = await rowsOn(snapshotDates.at(-1)!)
  expect(rows.length).toBeGreaterThan(entries * 0.95)
  expect(rows.length).toBeLessThan(entries * 1.1)
  const volumes = await volumeTotals(db, 'everything', snapshotDates.at(-1)!)
  expect(volumes.map(({ name }) => name)).toEqual(['studio-01', 'office-01'])
  const ofStudios = rows.filter(({ volume }) => volume === volumes[0]?.id)
  expect(ofStudios.length / rows.length).toBeCloseTo(0.5, 1)
})

test.each(dates)('each folder of %s has the totals below it, and each volume its own totals', async (date) => {
  const rows = await rowsOn(date)
  expect(new Set(rows.map((row) => `${row.isFolder} ${pathOf(row)}`)).size).toBe(rows.length)
  const below = new Map<string, { size: number; files: number; folders: number; modified: number }>()
  for (const row of rows)
    for (const folder of foldersAbove(row)) {
      const sums = below.get(folder) ?? { size: 0, files: 0, folders: 0, modified: 0 }
      if (row.isFolder) sums.folders++
      else {
        sums.files++
        sums.size += row.size
        sums.modified = Math.max(sums.modified, row.modified)
      }
      below.set(folder, sums)
    }
  const stored = rows
    .filter(({ isFolder }) => isFolder)
    .map((row) => [pathOf(row), { size: row.size, files: row.files, folders: row.folders, modified: row.modified }])
  expect(new Map(stored as [string, object][])).toEqual(below)
  const volumes = await volumeTotals(db, 'everything', date)
  expect(volumes.map((volume) => [volume.sizeOfFiles, volume.numberOfFiles, volume.numberOfFolders])).toEqual(
    volumes.map(({ id }) => [below.get(`${id}:/`)?.size, below.get(`${id}:/`)?.files, below.get(`${id}:/`)?.folders]),
  )
})

test('statistics of each scan count the files that it shows', async () => {
  for (const date of dates) {
    const snapshot = await shownOn(date)
    for (const [dimension, bucket] of buckets()) {
      const counted = await clickhouse.rows(sql`
        SELECT volume, ${text(bucket)} AS bucket, count() AS files, sum(size) AS bytes FROM ${entriesAt(snapshot)}
        WHERE NOT is_directory GROUP BY volume, bucket ORDER BY volume, bucket`)
      const stored = await clickhouse.rows(sql`
        SELECT volume, bucket, files, bytes FROM volume_statistics
        WHERE dimension = ${dimension} AND scan IN ${snapshot.volumes.map(({ scanId }) => scanId)}
        ORDER BY volume, bucket`)
      expect(stored).toEqual(counted)
    }
  }
})

test.each(dates)(
  'copies on %s are files with the same name, size and date, and about one in ten is one',
  async (date) => {
    const rows = await rowsOn(date)
    const groups = Map.groupBy(
      rows.filter(({ isFolder, size }) => !isFolder && size > 0),
      ({ name, size, modified }) => `${name}\n${size}\n${modified}`,
    )
    const copies = [...groups.values()].filter((group) => group.length > 1)
    const snapshot = await shownOn(date)
    expect(snapshot.duplicatesVersions).toBeDefined()
    const known = await clickhouse.rows<{ hash: string }>(sql`
    SELECT hex(hash) AS hash FROM ${duplicateHashes(snapshot)}`)
    const ofFiles = new Set(copies.map(([first]) => first!.hash))
    const ofFolders = new Set(rows.filter(({ isFolder }) => isFolder).map(({ hash }) => hash))
    expect(new Set(known.map(({ hash }) => hash).filter((hash) => !ofFolders.has(hash)))).toEqual(ofFiles)
    const share = copies.flat().length / rows.length
    expect(share).toBeGreaterThan(0.05)
    expect(share).toBeLessThan(0.15)
  },
)

test('each scan after the first ends about one file in a hundred, in each of the ways that files end', async () => {
  const ended = await clickhouse.rows<{ scans: number; files: number; ended: string }>(sql`
    SELECT uniqExact(to_scan) AS scans, count() AS files, ended FROM entry_history WHERE NOT is_directory
    GROUP BY ended ORDER BY ended`)
  expect(ended.map(({ ended }) => ended)).toEqual(['changed', 'deleted', 'moved'])
  const each = ended.reduce((sum, { files }) => sum + files, 0) / entries / (snapshotDates.length - 1)
  expect(each).toBeGreaterThan(0.004)
  expect(each).toBeLessThan(0.016)
  const { moved } = await clickhouse.one<{ moved: number }>(sql`
    SELECT count() AS moved FROM entry_history AS gone INNER JOIN entries AS came
      ON came.volume = gone.volume AND gone.moved_to = concat(came.parent_path, came.name)
        AND came.previous_path = concat(gone.parent_path, gone.name) AND came.from_scan = gone.to_scan
    WHERE gone.ended = 'moved'`)
  expect(moved).toBe(ended[2]?.files)
})

test('nothing was written after the scan that found it', async () => {
  for (const row of await rowsOn(snapshotDates[0]!)) expect(row.modified).toBeLessThan(newest + 86_400)
})
