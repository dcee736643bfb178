import { writeFileSync } from 'node:fs'
import { type DataSource, ReportDraft } from '#events/reports/templates.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import { dropRuns, rowsOfRun, keepFound } from '#server/work/reports/runs/foundEntries.ts'
import { selectFound } from '#server/work/reports/runs/selectFound.ts'
import { countEntries } from '#server/questions/selections/index.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { memoryOf, peakMemoryOf } from '../../kit/proc.ts'
import { openServer } from '../../kit/product.ts'
import { medianOfThree, timed } from '../../kit/samples.ts'
import { defineTool } from '../../kit/tool.ts'
import { fillPair, type Pair } from './fillPair.ts'

const aims = { seconds: 3, bytes: 1e9, ratio: 1.5 }

/**
 * `npm run bench -- reports [--files 5000000]`: a DUPLICATED report over two storages of that many files each (default:
 * half a million), half of which are in both, compared with the engine's bare semi-join over the same hashes. Prints
 * the times, and the peak growth of the process's memory. Linux only.
 */
export const tool = defineTool({
  options: { files: 500_000 },
  run: async ({ files }) => measureAll((await openServer()).platform, files),
})

async function measureAll(platform: Platform, files: number): Promise<void> {
  const pair = await fillPair(platform, files)
  const { found, total } = await selected(platform, pair)
  console.log(`${files} files in each of two storages, ${pair.shared} of them in both`)
  const bare = await measured('bare semi-join', pair, () => countOf(platform, bareJoin(pair)))
  const counted = await measured(
    'the report counts',
    pair,
    async () => (await countEntries(platform.clickhouse, found)).files,
  )
  const run = 1
  await measured('the report keeps, and counts all', pair, async () => {
    await keepFound(platform.clickhouse, run, found)
    await countEntries(platform.clickhouse, total)
    return (await countEntries(platform.clickhouse, rowsOfRun(run))).files
  })
  await dropRuns(platform.clickhouse, [run])
  const ratio = counted / bare
  console.log(
    `report / bare semi-join ${ratio.toFixed(2)} (target ${aims.ratio})${ratio <= aims.ratio ? '' : ' MISSED'}`,
  )
}

async function selected(platform: Platform, { reference, comparison }: Pair) {
  const source = (id: number): DataSource => ({ type: 'VOLUME', id, path: '/' })
  const parameters = { references: [source(reference)], comparison: [source(comparison)] }
  const snapshot = await snapshotAt(platform.db, 'everything')
  if (!snapshot) throw new Error('There is no snapshot')
  return selectFound(
    platform,
    snapshot,
    ReportDraft.parse({ name: 'Bench', type: 'DUPLICATED', parameters }),
    'everything',
  )
}

function bareJoin({ reference, comparison }: Pair): Sql {
  return sql`
    SELECT count() AS n FROM (SELECT identification_hash FROM entries WHERE volume = ${comparison}) AS compared
    LEFT SEMI JOIN (SELECT identification_hash FROM entries WHERE volume = ${reference}) AS reference
      USING (identification_hash)
    SETTINGS join_algorithm = 'parallel_hash'`
}

async function countOf({ clickhouse }: Platform, question: Sql): Promise<number> {
  return Number((await clickhouse.one<{ n: number }>(question, { heavy: true, seconds: 600 })).n)
}

/** Median of three runs in seconds, after a warm-up. Throws if a run does not find the expected number. */
async function measured(name: string, { shared }: Pair, work: () => Promise<number>): Promise<number> {
  // Resets the peak memory counter of this process.
  writeFileSync('/proc/self/clear_refs', '5')
  const before = memoryOf('self')
  const seconds = await medianOfThree(async () => {
    const { seconds, result } = await timed(work)
    if (result !== shared) throw new Error(`${name}: ${result} files were found, and ${shared} are there`)
    return seconds
  })
  const grown = peakMemoryOf('self') - before
  const isMissed = seconds > aims.seconds || grown > aims.bytes
  const memory = `${(grown / 1e6).toFixed(0)} MB more memory`
  console.log(`${name.padEnd(34)} ${seconds.toFixed(3).padStart(7)} s, ${memory}${isMissed ? ' MISSED' : ''}`)
  return seconds
}
