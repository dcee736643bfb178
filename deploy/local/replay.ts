import { readConfig } from '#server/config.ts'
import { compareJobs, rebuildJobs } from '#server/jobs/index.ts'
import { openPostgres } from '#server/platform/postgres.ts'
import { startLocalPostgres } from './stores/index.ts'

/**
 * `npm run replay`: folds the event log anew, prints each job whose projection differs, and writes those projections
 * again. With `--check` it only looks, and ends with 1 when there is a difference.
 */
const onlyCheck = process.argv.includes('--check')
const config = readConfig()
const embedded = config.databaseUrl === undefined ? await startLocalPostgres(config.data, console.log) : undefined
const db = openPostgres(config.databaseUrl ?? embedded?.url ?? '')

const { events, jobs, differences } = await compareJobs(db)
for (const { jobId, folded, found } of differences) console.log(`job ${jobId}:`, { folded, found })
console.log(`${events} events, ${jobs} jobs, ${differences.length} differences`)
if (differences.length > 0 && !onlyCheck) {
  await rebuildJobs(db)
  console.log('The projections of jobs and tasks were written anew')
}
await db.destroy()
await embedded?.leave()
process.exitCode = differences.length > 0 && onlyCheck ? 1 : 0
