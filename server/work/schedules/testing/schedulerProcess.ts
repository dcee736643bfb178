import { openLog } from '#server/platform/logger.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { runDue } from '../index.ts'

/** A replica with only the scheduler, whose clock is fixed: runs due schedules over and over until it is killed. */
const [databaseUrl = '', now = ''] = process.argv.slice(2)
const platform = { db: openPostgres(databaseUrl), log: await openLog(undefined), live: () => {} }
for (;;) await runDue(platform, new Date(now))
