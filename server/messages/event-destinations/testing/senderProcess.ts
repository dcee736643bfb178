import { readConfig } from '#server/platform/config.ts'
import { openLog } from '#server/platform/logger.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { startSendingEvents } from '../index.ts'

/** The part of a server that sends the event log, in a process that can be killed: `senderProcess.ts <database URL> <data folder>`. */
const [databaseUrl = '', folder] = process.argv.slice(2)
const config = readConfig({ DATAINTELL_DATA: folder })
const platform = { db: openPostgres(databaseUrl), config, log: openLog(undefined), live: () => undefined }
startSendingEvents(platform, { intervalMs: 20, retryMs: 20 })
process.stdout.write('ready\n')
