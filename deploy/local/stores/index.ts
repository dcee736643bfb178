import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import type { AgentDoor } from '#server/platform/nats/agentDoor.ts'
import { listenForAgents } from './agentListener.ts'
import { closeFolder } from '#server/platform/files/closeFolder.ts'
import { findNatsServer } from './findNatsServer.ts'
import { lockDataFolder } from './lock.ts'
import { type LocalNats, signInOf, startLocalNats } from './natsServer.ts'
import { startLocalPostgres } from './postgres.ts'

export { isRunning } from './lock.ts'
export { startLocalPostgres } from './postgres.ts'

/** How to sign in, as the server, to the NATS of a product that runs. */
export const natsOf = ({ data, natsUrl }: Config): { url: string; seed: string | undefined } =>
  natsUrl === undefined ? signInOf(data) : { url: natsUrl, seed: process.env['NATS_SEED'] }

/** Where the stores are, whether ours or those of the environment; `stop` ends ours in order. */
type LocalStores = {
  databaseUrl: string
  clickhouseUrl: string
  natsUrl: string
  natsCredential: string | undefined
  agentSeed: string | undefined
  /** Where agents of other machines find NATS, when that is another address. */
  agentsUrl: string | undefined
  /** Which agents the embedded nats-server lets in; undefined for a NATS of the environment. */
  admitAgents: AgentDoor['admit']
  stop(): Promise<void>
}

/** Starts each store that has no address; the only place that knows which are embedded. */
export async function startLocalStores(config: Config, say: (words: string) => void): Promise<LocalStores> {
  makeDataFolder(config)
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
    const { agentsListen } = config
    const listener = nats && agentsListen ? await listenForAgents(agentsListen, nats.port) : undefined
    if (listener) stops.push(listener.stop)
    return {
      databaseUrl: config.databaseUrl ?? postgres?.url ?? '',
      clickhouseUrl: config.clickhouseUrl ?? `chdb:${join(config.data, 'clickhouse')}`,
      ...(nats ? natsOfOurs(nats) : natsOfEnvironment(config)),
      agentsUrl: listener?.url,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A Postgres of ours closes it, once it is clear who has to pass through. */
function makeDataFolder({ data, databaseUrl }: Config): void {
  mkdirSync(data, { recursive: true, mode: 0o711 })
  if (databaseUrl !== undefined) closeFolder(data)
}

type NatsPlace = Pick<LocalStores, 'natsUrl' | 'natsCredential' | 'agentSeed' | 'admitAgents'>

const natsOfOurs = ({ url, natsCredential, agentSeed, admit }: LocalNats): NatsPlace => ({
  natsUrl: url,
  natsCredential,
  agentSeed,
  admitAgents: admit,
})

const natsOfEnvironment = ({ natsUrl = '' }: Config): NatsPlace => ({
  natsUrl,
  natsCredential: process.env['NATS_SEED'],
  agentSeed: process.env['AGENT_SEED'],
  admitAgents: undefined,
})

const startNats = (data: string, say: (words: string) => void) =>
  startLocalNats(data, findNatsServer(join(import.meta.dirname, '../../../.tools'), say))
