import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startBridge } from '#server/platform/clickhouse/testing.ts'
import { findNatsServer } from '../stores/findNatsServer.ts'
import { startLocalNats } from '../stores/natsServer.ts'
import { startLocalPostgres } from '../stores/postgres.ts'
import { testPassword } from '../testing.ts'

/** Three stores in processes of their own, for servers that share them. */
export type ExternalStores = {
  databaseUrl: string
  clickhouseUrl: string
  natsUrl: string
  natsCredential: string
  agentSeed: string
  stop(): Promise<void>
}

type Stores = Omit<ExternalStores, 'natsCredential' | 'agentSeed' | 'stop'> & {
  natsCredential: string | undefined
  agentSeed: string | undefined
}

/** Memory limit of the engine, in bytes. */
const engineMemory = 4 * 1024 ** 3
const checkout = join(import.meta.dirname, '../../..')
const tools = join(import.meta.dirname, '../../../.tools')
const quiet = () => {}

/** Starts Postgres, nats-server and the engine behind HTTP on a folder that the user of Postgres can enter. */
export async function startExternalStores(folder: string): Promise<ExternalStores> {
  const engineFolder = join(folder, 'engine')
  mkdirSync(engineFolder, { recursive: true })
  const [postgres, nats] = await Promise.all([
    startLocalPostgres(join(folder, 'postgres'), quiet),
    startLocalNats(join(folder, 'nats'), findNatsServer(tools, quiet)),
  ])
  const engine = await startBridge(engineFolder, 0, { memoryBytes: engineMemory })
  return {
    databaseUrl: postgres.url,
    clickhouseUrl: engine.url,
    natsUrl: nats.url,
    natsCredential: nats.natsCredential,
    agentSeed: nats.agentSeed,
    async stop() {
      await engine.kill()
      await nats.stop()
      await postgres.stop()
    },
  }
}

/** Environment of a server on external stores, with the data folder and the key of secrets that it gets. */
export const serverEnvironment = (stores: Stores, data: string, port: number): NodeJS.ProcessEnv => ({
  ...process.env,
  PORT: String(port),
  DATAINTELL_DATA: data,
  DATAINTELL_ADMIN_PASSWORD: testPassword,
  DATAINTELL_SECRET_KEY: 'a key of secrets for servers of tests',
  DATABASE_URL: stores.databaseUrl,
  CLICKHOUSE_URL: stores.clickhouseUrl,
  NATS_URL: stores.natsUrl,
  NATS_SEED: stores.natsCredential,
  AGENT_SEED: stores.agentSeed,
})

/** A server process. */
export type Replica = {
  address: string
  pid: number
  /** Everything that it printed. */
  printed(): string
  /** Its exit code or signal; undefined while it runs. */
  ended(): number | NodeJS.Signals | undefined
  /** Waits until it responds to the health check with 200. Throws its output if it ends before. */
  ready(): Promise<void>
  end(signal: NodeJS.Signals): Promise<void>
}

/**
 * Starts a server, also one of other sources, without waiting for it. Its output is also appended to `server.log` in its data folder.
 */
export function startReplica(environment: NodeJS.ProcessEnv, sources = checkout): Replica {
  const address = `http://127.0.0.1:${environment['PORT']}`
  const child = spawn(process.execPath, [join(sources, 'server/main.ts')], {
    cwd: sources,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const data = environment['DATAINTELL_DATA'] ?? ''
  mkdirSync(data, { recursive: true })
  const log = createWriteStream(join(data, 'server.log'), { flags: 'a' })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += String(chunk)
      log.write(chunk)
    })
  const ended = () => child.exitCode ?? child.signalCode ?? undefined
  return {
    address,
    pid: child.pid ?? 0,
    printed: () => printed,
    ended,
    async ready() {
      while (ended() === undefined) {
        const answer = await fetch(`${address}/actuator/health`).catch(() => undefined)
        await answer?.arrayBuffer()
        if (answer?.ok) return
        await pause(100)
      }
      throw new Error(`The server ended with ${ended()}:\n${printed.slice(-4_000)}`)
    },
    end: (signal) => end(child, signal),
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}
