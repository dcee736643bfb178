import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { nkeys } from 'nats'
import { builtInAgent } from '#events/agents.ts'
import { type AdmittedAgent, serverAccount } from '#server/platform/nats/agentDoor.ts'
import { endHung, type HangLimits } from './endHung.ts'
import { keepRunning } from './keepRunning.ts'
import { lastLines } from './limitLog.ts'
import { type NatsIdentity, natsConfiguration, portOf, streamFolder } from './natsConfiguration.ts'
import { answersStreams, type NatsMonitor, openMonitor, requestStatus } from './natsStatus.ts'
import { type FindPort, portsFor } from './ports.ts'
import {
  findByCommandLine,
  findProcess,
  isAlive,
  type ProcessIdentity,
  plainEnvironment,
  waitForEnd,
} from './processes.ts'
import { lockStore } from './storeLock.ts'

/** A running nats-server of ours, how to sign in to it, and how to stop it. */
export type LocalNats = {
  url: string
  port: number
  natsCredential: string
  agentSeed: string
  /**
   * Admits exactly these agents and the built-in one. Resolves when nats-server has confirmed its new configuration and
   * closed the connections of others; admitted agents stay connected. If it doesn't confirm within some ten seconds, throws,
   * and the earlier configuration applies.
   */
  admit(agents: AdmittedAgent[]): Promise<void>
  stop(): Promise<void>
  /** Same as `stop`, but leaves a nats-server running that was running before. */
  leave(): Promise<void>
}

type Place = NatsIdentity & {
  program: string
  configuration: string
  log: string
  port: number
  findPort: FindPort
  systemSeed: string
}

/**
 * Starts nats-server with its streams in the data folder, or adopts the one that an earlier server left running. It runs
 * in a session of its own and is started again whenever it ends or hangs; acknowledged messages are on disk. Throws with the
 * end of its log if it doesn't start.
 */
export async function startLocalNats(
  data: string,
  program: string,
  { hang, findPort = portsFor(data, 'nats-server') }: { hang?: HangLimits; findPort?: FindPort } = {},
): Promise<LocalNats> {
  const folder = join(data, 'nats')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const configuration = join(folder, 'nats.conf')
  const [server, system, own] = [readKey(data, 'server'), readKey(data, 'system'), readKey(data, agentKey)]
  const place: Place = {
    name: `dataintell-${server.publicKey.slice(1, 13)}`,
    folder,
    server: server.publicKey,
    system: system.publicKey,
    program,
    configuration,
    log: join(folder, 'nats.log'),
    port: portOf(configuration) ?? 0,
    findPort,
    systemSeed: system.seed,
  }
  const configurationFor = (agents: AdmittedAgent[]) =>
    natsConfiguration(place, place.port, [{ agentId: builtInAgent, publicKey: own.publicKey }, ...agents])
  // An adopted nats-server keeps its agents until the first call of `admit`.
  const adopted = await adopt(place)
  const first = adopted ?? (await startOnFreePort(place, () => writeWhole(configuration, configurationFor([]))))
  const watched = watch(place, first, { seed: server.seed, hang })
  return {
    url: urlOf(place.port),
    port: place.port,
    natsCredential: server.seed,
    agentSeed: own.seed,
    admit: (agents) => watched.configure(configurationFor(agents)),
    stop: watched.stop,
    leave: adopted ? watched.leave : watched.stop,
  }
}

const agentKey = `agent-${builtInAgent}`

/** Returns where the nats-server of a data folder listens, and the seed of its server. */
export const signInOf = (data: string): { url: string; seed: string } => ({
  url: urlOf(portOf(join(data, 'nats/nats.conf')) ?? 0),
  seed: readKey(data, 'server').seed,
})

const urlOf = (port: number): string => `nats://127.0.0.1:${port}`

/** Milliseconds for a nats-server that was running before to respond. Restarting it loses nothing. */
const adoptWithinMs = 3_000
/** Milliseconds for a new one, which first recovers its streams. */
const startWithinMs = 30_000

/**
 * Returns the nats-server that was running before if it responds as ours. Ends it otherwise: it hangs, has lost JetStream,
 * or was started by an earlier version or under another path, and no reload changes its name and system account.
 */
async function adopt(place: Place): Promise<ProcessIdentity | undefined> {
  const held = await lockNats(place)
  const left = 'found' in held ? held.found : held.lock.release()
  if (left && (await isReady(place, left, adoptWithinMs))) return left
  if (left) await end(left)
  moveStore(place)
  return undefined
}

const lockNats = (place: Place) =>
  lockStore(join(place.folder, 'nats.lock'), () => findByCommandLine(`-c ${place.configuration}`))

/** Moves the streams of a data folder from before there were accounts to the server's account. */
function moveStore(place: Place): void {
  const [before, now] = [join(streamFolder(place), '$G'), join(streamFolder(place), serverAccount)]
  if (existsSync(before) && !existsSync(now)) renameSync(before, now)
}

/**
 * Starts nats-server, on the earlier port if that is free. If it ends at once, tries another port: another program may have
 * taken a port that was free a moment ago.
 */
async function startOnFreePort(place: Place, configure: () => void): Promise<ProcessIdentity> {
  for (let tries = 1; ; tries++) {
    place.port = await place.findPort(place.port)
    configure()
    const started = await spawnOne(place)
    if (await isReady(place, started, startWithinMs)) return started
    if (!(await waitForEnd(started, 1_000))) {
      await end(started)
      throw new Error(`nats-server did not respond on port ${place.port}; see ${place.log}`)
    }
    if (tries === 3) throw new Error(`nats-server ended at once:\n${lastLines(place.log)}\nSee ${place.log}`)
  }
}

type Watching = { seed: string; hang: HangLimits | undefined }

/** Keeps nats-server running from now on. */
function watch(place: Place, first: ProcessIdentity, { seed, hang }: Watching) {
  let running = first
  let applied = readFileSync(place.configuration, 'utf8')
  let configuring = Promise.resolve()
  const kept = keepRunning(
    () => isAlive(running),
    async () => {
      running = await spawnOne(place)
      await isReady(place, running, startWithinMs)
    },
    place.log,
  )
  const hangs = endHung(
    () => running,
    () => answersStreams(urlOf(place.port), seed),
    (hung) => end(hung),
    hang,
  )
  const leave = async () => {
    await hangs.stop()
    await kept.stop()
  }
  const configure = async (text: string) => {
    const monitor = await openMonitor(urlOf(place.port), place.systemSeed, confirmWithinMs)
    try {
      writeWhole(place.configuration, text)
      // 2.9.10 gives an account that is new in its configuration the services of others only on the second reload.
      for (let time = 1; time <= 2; time++) await reload(running, monitor)
      applied = text
    } catch (error) {
      writeWhole(place.configuration, applied)
      signal(running, 'SIGHUP')
      throw error
    } finally {
      await monitor.close()
    }
  }
  const seeLog = (cause: unknown): never => {
    throw new Error(`${cause instanceof Error ? cause.message : cause}; see ${place.log}`, { cause })
  }
  return {
    /** Changes the configuration, one call after another. Throws, with the earlier one in place, if it isn't confirmed. */
    configure: (text: string) => (configuring = configuring.catch(() => {}).then(() => configure(text).catch(seeLog))),
    leave,
    async stop() {
      await leave()
      await end(running)
    },
  }
}

/** Milliseconds for nats-server to accept a connection before a change, and to confirm each reload. */
const confirmWithinMs = 5_000

/** Has nats-server load its configuration. Throws if it doesn't confirm that. */
async function reload(running: ProcessIdentity, monitor: NatsMonitor): Promise<void> {
  const loadedAt = () => monitor.status().then(({ configurationLoadedAt }) => configurationLoadedAt)
  const before = await loadedAt()
  signal(running, 'SIGHUP')
  for (const end = performance.now() + confirmWithinMs; performance.now() < end; await pause(10))
    if ((await loadedAt().catch(() => before)) !== before) return
  throw new Error('nats-server did not confirm its new configuration')
}

/** Spawns nats-server, which inherits the lock of its files, unless one runs already. */
async function spawnOne(place: Place): Promise<ProcessIdentity> {
  const held = await lockNats(place)
  if ('found' in held) return held.found
  const { program, folder, configuration } = place
  const log = openLog(place.log)
  const child = spawn(program, ['-c', configuration], {
    cwd: folder,
    env: plainEnvironment(),
    detached: true,
    stdio: ['ignore', log, log, held.lock.fd],
  })
  child.on('error', () => {})
  child.unref()
  if (log !== 'ignore') closeSync(log)
  held.lock.release()
  if (child.pid === undefined) throw new Error(`${program} cannot be started`)
  const started = findProcess(child.pid) ?? { pid: child.pid, born: 'ended' }
  try {
    writeWhole(join(folder, 'running.json'), JSON.stringify(started))
  } catch {
    // The file only tells others the process ID: a full disk must not leave nats-server unwatched.
  }
  return started
}

/** A log that can't be opened doesn't keep nats-server from running. */
function openLog(file: string): number | 'ignore' {
  try {
    return openSync(file, 'a', 0o600)
  } catch {
    return 'ignore'
  }
}

/**
 * Waits until nats-server responds as ours; false if it ends, responds as another server, or takes too long. Another program
 * on the port has neither our keys nor our name and folder.
 */
async function isReady(place: Place, running: ProcessIdentity, milliseconds: number): Promise<boolean> {
  for (const end = performance.now() + milliseconds; performance.now() < end && isAlive(running); await pause(20)) {
    const status = await requestStatus(urlOf(place.port), place.systemSeed)
    if (status === 'refused') return false
    if (status) return status.name === place.name && status.store === streamFolder(place)
  }
  return false
}

/** Ends a process, even one that is stopped or hangs. */
async function end(known: ProcessIdentity): Promise<void> {
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    signal(known, name)
    // A stopped process handles SIGTERM once it continues.
    signal(known, 'SIGCONT')
    if (await waitForEnd(known, 10_000)) return
  }
  throw new Error(`nats-server (process ${known.pid}) does not end`)
}

function signal(known: ProcessIdentity, name: NodeJS.Signals): void {
  if (isAlive(known)) process.kill(known.pid, name)
}

/** Written to another file and moved, so that a kill leaves the old text or the new one. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** An nkey: the seed signs in and stays secret, nats-server knows the public key. */
type Key = { seed: string; publicKey: string }

/** Returns the key of that name in the data folder; created at the first start, readable only by its owner. */
export function readKey(data: string, name: string): Key {
  const folder = join(data, 'keys')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${name}.nk`)
  if (!existsSync(file)) writeFileSync(file, text(nkeys.createUser().getSeed()), { mode: 0o600 })
  const seed = readFileSync(file, 'utf8')
  return { seed, publicKey: nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey() }
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
