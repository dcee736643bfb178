import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import { findNatsServer } from './findNatsServer.ts'
import { lockDataFolder } from './lock.ts'
import { startLocalNats } from './natsServer.ts'
import { startLocalPostgres } from './postgres.ts'

export { startLocalPostgres } from './postgres.ts'

/** Where the stores are, whether ours or those of the environment; `stop` ends ours in order. */
export type LocalStores = {
  databaseUrl: string
  clickhouseUrl: string
  natsUrl: string
  natsCredential: string | undefined
  agentSeed: string | undefined
  /** Lets an agent sign in to the embedded nats-server and returns its seed; for a NATS of the environment, undefined. */
  agentCredential(agentId: number): string | undefined
  stop(): Promise<void>
}

/** Starts each store that has no address; the only place that knows which are embedded. */
export async function startLocalStores(config: Config, say: (words: string) => void): Promise<LocalStores> {
  mkdirSync(config.data, { recursive: true })
  const stops = [async () => unlock()]
  const unlock = lockDataFolder(config.data)
  const stop = async () => {
    for (const one of stops.toReversed()) await one()
  }
  try {
    const postgres = config.databaseUrl ? undefined : await startLocalPostgres(config.data, say)
    if (postgres) stops.push(postgres.stop)
    const nats = config.natsUrl ? undefined : await startNats(config.data, say)
    if (nats) stops.push(nats.stop)
    return {
      databaseUrl: config.databaseUrl ?? postgres?.url ?? '',
      clickhouseUrl: config.clickhouseUrl ?? `chdb:${join(config.data, 'clickhouse')}`,
      natsUrl: config.natsUrl ?? nats?.url ?? '',
      natsCredential: nats ? nats.natsCredential : process.env['NATS_SEED'],
      agentSeed: nats ? nats.agentSeed : process.env['AGENT_SEED'],
      agentCredential: (agentId) => nats?.agentCredential(agentId),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const startNats = (data: string, say: (words: string) => void) =>
  startLocalNats(data, findNatsServer(join(import.meta.dirname, '../../../.tools'), say))
