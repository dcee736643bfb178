import { sql as postgres } from 'kysely'
import type { Stores } from '#server/platform/platform.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { applyFlush, commitScan, endSession, startSession } from '#server/content/snapshots/index.ts'
import { removeEnded } from '#server/content/snapshots/retention/removeEnded.ts'
import { sourceAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { openServer } from '../../kit/product.ts'
import { median } from '../../kit/samples.ts'
import { defineTool } from '../../kit/tool.ts'
import { fillOnce } from '../questions/fill/fill.ts'
import { forgetConditions } from '../questions/queryClient.ts'
import { listChanges, listFolder } from './listChanges.ts'

const rounds = 11
/** As many layers as make the next commit write the whole volume; they are empty. */
const manyLayers = postgres<number[]>`ARRAY(SELECT nextval('generations')::integer FROM generate_series(1, 16))`

const questions: Record<string, Sql> = {
  'count and bytes': sql`count(), sum(size)`,
  'bytes by extension': sql`length(sumMap([extension], [size]).1)`,
  'bytes by owner and year': sql`length(sumMap([(owner, toYear(modified))], [size]).1)`,
  'name with a word': sql`countIf(name ILIKE '%comp_v0%'), sumIf(counted_size, name ILIKE '%comp_v0%')`,
  'contents of the root': sql`countIf(parent_path = '/')`,
}

/**
 * `npm run bench -- changes [--entries N] [--data FOLDER]`: a storage of a million entries, or N, and lists of 1,000 changes of it. Prints the cost of a
 * commit as a layer and as a whole generation, that of a flush of a folder, and the processor time of questions on the same entries in a whole generation, and in a layer before and after the
 * rows that it ended are removed.
 */
export const tool = defineTool({
  options: { entries: 1_000_000, changes: 1_000, data: '' },
  async run({ entries, changes, data }) {
    const { platform } = await openServer(data === '' ? undefined : data, console.log)
    await fillOnce(platform, entries, console.log, 1)
    await commitChanges(platform, changes, 'first layer')
    await commitChanges(platform, changes, 'next layer')
    await platform.db
      .updateTable('volumes')
      .set({ layers: postgres`layers || ${manyLayers}` })
      .execute()
    await commitChanges(platform, changes, 'whole generation')
    const whole = await ask(platform)
    await commitChanges(platform, changes, 'layer on it')
    const listed = await ask(platform)
    await flushFolder(platform)
    await removeEnded(platform, 0)
    await removeEnded(platform, 0)
    const removed = await ask(platform)
    console.log('\nProcessor seconds'.padEnd(32), 'whole    layer, × whole   removed, × whole')
    for (const name of Object.keys(questions)) {
      const [a = 0, b = 0, c = 0] = [whole, listed, removed].map((times) => times[name])
      const cells = [a.toFixed(3), b.toFixed(3), (b / a).toFixed(2), c.toFixed(3), (c / a).toFixed(2)]
      console.log(name.padEnd(30), ...cells.map((cell) => cell.padStart(8)))
    }
  },
})

async function commitChanges(stores: Stores, changes: number, what: string): Promise<void> {
  const scanId = await listChanges(stores, changes)
  const { cost } = await costOf(() => commitScan(stores, scanId, async () => {}))
  console.log(`${what.padEnd(30)} ${cost.processor.toFixed(2)} processor seconds, ${cost.seconds.toFixed(2)} s`)
}

/** Shows the current folder in the live state, several times, and ends that. */
async function flushFolder(stores: Stores): Promise<void> {
  const { volumeId } = await listFolder(stores)
  const { session = '' } = (await startSession(stores, volumeId)) ?? {}
  for (const what of ['first flush', 'second flush', 'third flush']) {
    const { blocks } = await listFolder(stores)
    const { cost } = await costOf(() => applyFlush(stores, { volumeId, session, blocks }))
    console.log(`${what.padEnd(30)} ${cost.processor.toFixed(2)} processor seconds, ${cost.seconds.toFixed(2)} s`)
  }
  await endSession(stores, volumeId)
}

/** Median processor seconds of each question. */
async function ask({ db, clickhouse }: Stores): Promise<Record<string, number>> {
  const { from, where } = sourceAt(await snapshotOrEmpty(db, 'everything'))
  const times: Record<string, number> = {}
  for (const [name, columns] of Object.entries(questions)) {
    const samples: number[] = []
    while (samples.length < rounds) {
      await forgetConditions(clickhouse)
      const { cost } = await costOf(() => clickhouse.rows(sql`SELECT ${columns} FROM ${from} WHERE ${where}`))
      samples.push(cost.processor)
    }
    times[name] = median(samples)
  }
  return times
}

async function costOf<T>(work: () => Promise<T>) {
  const [before, started] = [process.cpuUsage(), performance.now()]
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { result, cost: { processor: (user + system) / 1e6, seconds: (performance.now() - started) / 1_000 } }
}
