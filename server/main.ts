import { machine } from '#events/machine/index.ts'
import { serve } from './serve.ts'
import { readConfig } from './config.ts'

/**
 * The server with external stores: DATABASE_URL, CLICKHOUSE_URL and NATS_URL are set. With embedded stores `npm start`
 * starts them and then the same server. Exit code 75 means that it should be started again.
 */
const startAgain = 75

machine()
const config = readConfig()
const { databaseUrl, clickhouseUrl, natsUrl, natsSeed: natsCredential, agentSeed } = config
if (!databaseUrl || !clickhouseUrl || !natsUrl) {
  throw new Error('Set DATABASE_URL, CLICKHOUSE_URL and NATS_URL, or use `npm start` for embedded stores')
}
const stores = { databaseUrl, clickhouseUrl, natsUrl, natsCredential, agentSeed }
const server = await serve(config, stores, () => void end(startAgain))
let ending: Promise<void> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(0))

async function end(code: number): Promise<void> {
  await (ending ??= server.stop())
  process.exit(code)
}
