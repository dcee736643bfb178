import { chmodSync, chownSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '#server/platform/config.ts'
import type { AgentDoor } from '#server/platform/nats/agentDoor.ts'
import { closeFolder } from '#server/platform/files/closeFolder.ts'
import { listenForAgents } from './agentListener.ts'
import { findNatsServer } from './findNatsServer.ts'
import { isStillOurs, lockDataFolder } from './folderLock.ts'
import { checkIdentity, type Parts, writeIdentity } from './identity.ts'
import { type LocalNats, signInOf, startLocalNats } from './natsServer.ts'
import { type FindPort, portsFor } from './ports.ts'
import { startLocalPostgres } from './postgres.ts'
import { type PostgresFolders, postgresFolders } from './postgresFolders.ts'

export { isRunning } from './folderLock.ts'
export { startLocalPostgres } from './postgres.ts'

/** Address and seed to sign in as the server to the NATS of a running product. */
export const natsOf = ({ data, natsUrl, natsSeed }: Config): { url: string; seed: string | undefined } =>
  natsUrl === undefined ? signInOf(data) : { url: natsUrl, seed: natsSeed }

/** True if the data folder has settings of a product. Creates nothing; throws if they are there but the data folder is not. */
export const hasSettings = (data: string): boolean => existsSync(postgresFolders(data).cluster)

/**
 * Finds or starts the Postgres of a data folder, for a command that may run next to the product. Undefined if the product was never
 * started there: nothing is created then.
 */
export async function visitLocalPostgres(data: string, say: (message: string) => void) {
  const folders = postgresFolders(data)
  checkIdentity(data, { postgres: folders.cluster })
  return existsSync(folders.cluster) ? startLocalPostgres(data, say, { folders }) : undefined
}

/** Addresses of the stores, both ours and those of the environment. */
export type LocalStores = {
  databaseUrl: string
  clickhouseUrl: string
  natsUrl: string
  natsCredential: string | undefined
  agentSeed: string | undefined
  /** Address of NATS for agents on other machines, if it differs. */
  agentsUrl: string | undefined
  /** Sets the agents that the embedded nats-server admits; undefined for a NATS of the environment. */
  admitAgents: AgentDoor['admit']
  /** Folder of the settings if it isn't in the data folder. */
  settingsFolder: string | undefined
  /** False once another folder took the place of the data folder. */
  isFolderHeld(): boolean
  /** Ends our stores in order. */
  stop(): Promise<void>
  /** For a start that failed: same as `stop`, but leaves stores running that ran before, unless this is a restart. */
  leave(): Promise<void>
}

/** Ends a part of the start; `leave` leaves it running if it ran before. */
type Ending = { stop(): Promise<void> | void; leave(): Promise<void> | void }

/**
 * Starts each store that has no address; the only place that knows which are embedded. Before it writes anything, it compares the
 * identity of the data folder with that of its parts (see `checkIdentity`, also for `adopt`), and locks the folder. If it fails,
 * stores that ran before keep running (unless `isRestart`: then they are ours), and the data folder gets its owner and permissions back.
 */
export async function startLocalStores(
  config: Config,
  say: (message: string) => void,
  { adopt = false, isRestart = false } = {},
): Promise<LocalStores> {
  const endings: Ending[] = []
  const end = async (how: keyof Ending) => {
    for (const ending of endings.splice(0).toReversed()) await ending[how]()
  }
  const started = <T extends Ending>(part: T): T => {
    endings.push(isRestart ? { stop: () => part.stop(), leave: () => part.stop() } : part)
    return part
  }
  try {
    const folders = config.databaseUrl === undefined ? postgresFolders(config.data) : undefined
    const parts = partsOf(config, folders)
    const folder = holdFolder(config, parts, adopt, (ending) => endings.push(ending))
    const findPort = (store: string) => portsFor(config.data, store, [config.port, config.agentsListen?.port])
    const startPostgres = (at: PostgresFolders) =>
      startLocalPostgres(config.data, say, { folders: at, findPort: findPort('Postgres') })
    const postgres = folders && started(await startPostgres(folders))
    const nats = config.natsUrl ? undefined : started(await startNats(config.data, say, findPort('nats-server')))
    folder.mark()
    const listener = nats && config.agentsListen && (await listenForAgents(config.agentsListen, nats.port))
    if (listener) started({ stop: listener.stop, leave: listener.stop })
    return {
      ...addressesOf(config, postgres?.url, nats),
      agentsUrl: listener?.url,
      settingsFolder: folders?.outside ? dirname(folders.cluster) : undefined,
      isFolderHeld: folder.isHeld,
      stop: () => end('stop'),
      leave: () => end('leave'),
    }
  } catch (error) {
    await end('leave')
    throw error
  }
}

/** Checks, creates and locks the data folder. `mark` writes its identity into the parts once they exist. */
function holdFolder(config: Config, parts: Parts, adopt: boolean, ends: (ending: Ending) => void) {
  const { data } = config
  checkIdentity(data, parts, adopt)
  ends({ stop: () => {}, leave: makeDataFolder(config) })
  const isEmbedded = parts.postgres !== undefined || parts.nats !== undefined || parts.clickhouse !== undefined
  const lock = lockDataFolder(data, isEmbedded)
  ends({ stop: lock.release, leave: lock.release })
  // Again, now that no other start can change it.
  const identity = checkIdentity(data, parts, adopt)
  writeIdentity(data, identity, {})
  return {
    isHeld: () => isStillOurs(data, lock),
    mark() {
      for (const folder of [parts.clickhouse, parts.agent]) if (folder !== undefined) closeFolder(folder)
      writeIdentity(data, identity, parts)
    },
  }
}

const partsOf = (config: Config, folders: PostgresFolders | undefined): Parts => ({
  ...(folders && { postgres: folders.cluster }),
  ...(config.natsUrl === undefined && { nats: join(config.data, 'nats') }),
  ...(config.clickhouseUrl === undefined && { clickhouse: join(config.data, 'clickhouse') }),
  agent: join(config.data, 'agent'),
})

/**
 * Creates the data folder, with parents that the user of Postgres can enter regardless of the umask. Returns a function that gives an
 * existing one its owner and permissions back.
 */
function makeDataFolder({ data, databaseUrl }: Config): () => void {
  const before = statSync(data, { throwIfNoEntry: false })
  if (!before) makeFolder(data)
  // A Postgres of ours closes it, once it is clear who has to pass through.
  if (databaseUrl !== undefined) closeFolder(data)
  return () => {
    if (!before) return
    chownSync(data, before.uid, before.gid)
    chmodSync(data, before.mode & 0o7777)
  }
}

function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path)
  chmodSync(path, 0o711)
}

const addressesOf = (config: Config, postgresUrl: string | undefined, nats: LocalNats | undefined) => ({
  databaseUrl: config.databaseUrl ?? postgresUrl ?? '',
  clickhouseUrl: config.clickhouseUrl ?? `chdb:${join(config.data, 'clickhouse')}`,
  ...(nats ? natsOfOurs(nats) : natsOfEnvironment(config)),
})

type NatsPlace = Pick<LocalStores, 'natsUrl' | 'natsCredential' | 'agentSeed' | 'admitAgents'>

const natsOfOurs = ({ url, natsCredential, agentSeed, admit }: LocalNats): NatsPlace => ({
  natsUrl: url,
  natsCredential,
  agentSeed,
  admitAgents: admit,
})

const natsOfEnvironment = ({ natsUrl = '', natsSeed, agentSeed }: Config): NatsPlace => ({
  natsUrl,
  natsCredential: natsSeed,
  agentSeed,
  admitAgents: undefined,
})

const startNats = (data: string, say: (message: string) => void, findPort: FindPort) =>
  startLocalNats(data, findNatsServer(join(import.meta.dirname, '../../../.tools'), say), { findPort })
