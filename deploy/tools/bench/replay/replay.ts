import { join } from 'node:path'
import { type Job, type JobEvent, evolve } from '#events/jobs/events.ts'
import { startLocalPostgres } from '#deploy/local/stores/postgres.ts'
import { replayJobs } from '#server/workers/jobs/index.ts'
import { readLog } from '#server/platform/log/eventLog.ts'
import { migratePostgres } from '#server/platform/migrate.ts'
import { type Db, openPostgres } from '#server/platform/postgres/postgres.ts'
import { atEnd, scratchFolder } from '../../kit/ends.ts'
import { timed } from '../../kit/samples.ts'
import { defineTool } from '../../kit/tool.ts'
import { fillEvents } from './fillEvents.ts'

/**
 * `npm run bench -- replay [EVENTS]`: fills its own log with a million events of realistic job streams, replays it into
 * empty projections and again over complete ones, and folds a hundred thousand events in memory.
 */
export const tool = defineTool({
  options: { events: 1_000_000 },
  positional: 'events',
  async run({ events }) {
    const postgres = await startLocalPostgres(join(scratchFolder('replay'), 'data'), () => {})
    atEnd(postgres.stop)
    const db = openPostgres(postgres.url)
    atEnd(() => db.destroy())
    await migratePostgres(db)
    console.log(`${await fillEvents(db, events)} job events`)
    await foldInMemory(db, 100_000)
    await row('replay into empty projections', 60, () => replayJobs(db, { write: true }))
    await row('replay that finds no difference', 60, () => replayJobs(db, { write: false }))
    console.log(`peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`)
  },
})

/** Measures folding without reading: the browser and the server fold events that they already have. */
async function foldInMemory(db: Db, events: number): Promise<void> {
  const log = await readLog<JobEvent>(db, 0, events)
  await row(`fold of ${log.length} events`, 2, () => {
    const jobs = new Map<string, Job>()
    for (const { stream, event } of log) jobs.set(stream, evolve(jobs.get(stream), event))
    return { jobs: jobs.size }
  })
}

async function row(name: string, aim: number, work: () => object | Promise<object>): Promise<void> {
  const { seconds, result } = await timed(work)
  const verdict = seconds < aim ? '' : ' MISSED'
  console.log(`${name.padEnd(34)} ${seconds.toFixed(2).padStart(7)} s, target ${aim} s${verdict}`, result)
}
