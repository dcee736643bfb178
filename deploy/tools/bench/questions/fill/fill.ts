import type { Stores } from '#server/platform/platform.ts'
import { sql, type Sql, text } from '#server/platform/clickhouse/sql.ts'
import { insertInto, optimizeTable } from '#server/platform/clickhouse/statements.ts'
import { type Commit } from '#server/content/snapshots/commit/commit.ts'
import { insertFrom } from '#server/platform/clickhouse/largeTables.ts'
import { countStatistics } from '#server/content/snapshots/commit/countStatistics.ts'
import { tagColumns } from '#server/content/snapshots/index.ts'
import { withDuplicatesLock } from '#server/content/snapshots/locks.ts'
import { snapshotDates } from './calendar.ts'
import { fillDuplicates } from './duplicates.ts'
import { fillFolders, type RootTotals } from './folders.ts'
import { office } from './office.ts'
import { fillOlderStatistics } from './statistics.ts'
import { addVolumes, type FilledTotals, showSnapshots } from './stores.ts'
import { studio } from './studio.ts'
import { endedFiles, entryColumns, type FilledVolume, historyColumns, newestFiles } from './versions.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { pick } from './words.ts'

/**
 * Every other volume is that of a studio. `files` is the number of files per entry: some end later, and folders are
 * entries, too.
 */
const shapes = [
  { name: 'studio', files: studio, filesEach: 1.003 },
  { name: 'office', files: office, filesEach: 0.891 },
] as const
const shapeOf = (n: number) => shapes[n % shapes.length] ?? shapes[0]
const nameOf = (n: number) => `${shapeOf(n).name}-${String(Math.floor(n / shapes.length) + 1).padStart(2, '0')}`

/** Fills the product unless it was filled before. */
export async function fillOnce(
  stores: Stores,
  entries: number,
  say: (message: string) => void,
  volumeCount?: number,
): Promise<void> {
  const shown = await stores.db.selectFrom('snapshots').select('volumeId').executeTakeFirst()
  if (!shown) await fill(stores, entries, say, volumeCount)
}

/**
 * Fills an empty product with about this many entries, like weekly scans of its volumes over ten weeks. The result is
 * the same for the same parameters, and becomes visible at the end.
 */
export async function fill(
  { db, clickhouse }: Stores,
  entries: number,
  say: (message: string) => void,
  volumeCount = 20,
): Promise<void> {
  const volumes = await addVolumes(
    db,
    Array.from({ length: volumeCount }, (_, n) => nameOf(n)),
  )
  const filled: FilledTotals[] = []
  for (const [n, volume] of volumes.entries()) {
    const { files, filesEach } = shapeOf(n)
    const made = files(n + 1, Math.floor((entries / volumeCount) * filesEach))
    const totals = await fillVolume(lastCommit({ db, clickhouse }, volume), volume, n + 1, made)
    filled.push({ volume, totals })
    const { files: there, folders } = totals.at(-1) ?? { files: 0, folders: 0 }
    say(`${nameOf(n)}: ${there} files in ${folders} folders`)
  }
  const [first] = volumes
  await fillTags(clickhouse)
  // The running server drops versions of duplicates that no date refers to, except while they are being counted.
  await db.connection().execute((held) =>
    withDuplicatesLock(held, async () => {
      const duplicates = first ? await fillDuplicates(lastCommit({ db: held, clickhouse }, first), volumes) : []
      await showSnapshots(held, filled, duplicates)
    }),
  )
}

async function fillVolume(commit: Commit, volume: FilledVolume, seed: number, files: Sql): Promise<RootTotals[]> {
  const { clickhouse } = commit
  await insertFrom(clickhouse, 'entries', newestFiles(volume, seed, files), entryColumns)
  await insertFrom(clickhouse, 'entry_history', endedFiles(volume, seed, files), historyColumns)
  const totals = await fillFolders(clickhouse, volume)
  await clickhouse.command(optimizeTable('entries', text(`PARTITION (${volume.id}, ${volume.generation}) FINAL`)))
  await clickhouse.command(optimizeTable('entry_history', text(`PARTITION ${volume.id} FINAL`)))
  await countStatistics(commit, Infinity, {
    volumeId: volume.id,
    generation: volume.generation,
    layers: [],
    comparison: 'first',
  })
  await fillOlderStatistics(clickhouse, volume)
  return totals
}

/** Input of the server's commit steps, for the newest scan of a volume. */
const lastCommit = (stores: Stores, volume: FilledVolume): Commit => ({
  ...stores,
  scan: {
    id: volume.scans.at(-1) ?? 0,
    scannedPath: '',
    indexingDate: snapshotDates.at(-1) ?? '',
    cloneIndex: true,
    updatesAccess: true,
  },
  volume: {
    id: volume.id,
    committedScan: null,
    generation: null,
    layers: [],
    ignoredPaths: [],
    indexFolderOnlyPaths: [],
  },
  generation: volume.generation,
  accessesMakeVersions: true,
  scannedAt: Math.floor(Date.now() / 1000),
})

const tags = 'approved,archive,client review,delete after delivery,final,legal hold,legal hold,restore'.split(',')

/** One entry in five hundred has a tag, starting at the first scan of the volume. */
const fillTags = (clickhouse: ClickHouse): Promise<void> =>
  clickhouse.command(
    insertInto(
      'entry_tags',
      sql`
    SELECT ${pick(tags, sql`intDiv(file_id, 500)`)}, volume, parent_path, name, is_directory, ${snapshotDates[0]},
      '2149-06-06', 1
    FROM entries WHERE file_id % 500 = 0 AND parent_path != ''`,
      tagColumns,
    ),
  )
