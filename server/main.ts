import { machine } from '#events/node/index.ts'
import { type Server, serve, stopLimitMs, type Stores } from './serve.ts'
import { CannotStart, type Config, productName, readConfig } from './platform/config.ts'
import { signInText } from './access/session/index.ts'

/**
 * The server with external stores: DATABASE_URL, CLICKHOUSE_URL and NATS_URL are set. With embedded stores `npm start`
 * starts them and then the same server. SIGTERM and SIGINT stop it within ten seconds; further signals change nothing.
 */

/** Exit code of a server that should be started again. */
const startAgain = 75
/** Exit code of a start that can't succeed until someone changes something, and of one that may succeed later. */
const couldNotStart = 2
const mayStartLater = 1

let server: Server | undefined
let ending: Promise<void> | undefined
// A start has nothing to finish: it may be interrupted at any time.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (server ? void end(0) : process.exit(0)))

const config = settings()
try {
  server = await serve(config, storesOf(config), () => void end(startAgain))
  process.stdout.write(`${productName} is ready: ${server.address}\n${signInText(server.adminPassword)}\n`)
} catch (error) {
  fail(error, error instanceof CannotStart ? couldNotStart : mayStartLater)
}

function settings(): Config {
  try {
    machine()
    return readConfig()
  } catch (error) {
    return fail(error, couldNotStart)
  }
}

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}

function fail(error: unknown, code: number): never {
  report(error)
  process.exit(code)
}

async function end(code: number): Promise<void> {
  await (ending ??= server?.stop(stopLimitMs).catch(report))
  process.exit(code)
}

function storesOf(config: Config): Stores {
  const { databaseUrl, clickhouseUrl, natsUrl, natsSeed: natsCredential, agentSeed } = config
  if (!databaseUrl || !clickhouseUrl || !natsUrl)
    throw new CannotStart('Set DATABASE_URL, CLICKHOUSE_URL and NATS_URL, or use `npm start` for embedded stores')
  return { databaseUrl, clickhouseUrl, natsUrl, natsCredential, agentSeed }
}
