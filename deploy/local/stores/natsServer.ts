import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { builtInAgent } from '#events/agents.ts'
import { type AdmittedAgent, serverAccount } from '#server/platform/nats/agentDoor.ts'
import { keepRunning } from './keepRunning.ts'
import { hasAccounts, natsConfiguration, portOf } from './natsConfiguration.ts'
import { findByWords, findProcess, freePort, isAlive, type Known, plainEnvironment, waitForEnd } from './processes.ts'
import { nkeys } from 'nats'

/** A nats-server of ours that runs, how to sign in to it, and how to stop it. */
export type LocalNats = {
  url: string
  port: number
  natsCredential: string
  agentSeed: string
  /**
   * Lets in exactly these agents beside the built-in one. Done when nats-server has read its configuration again, and closed
   * the connections of others; those that are let in stay.
   */
  admit(agents: AdmittedAgent[]): Promise<void>
  stop(): Promise<void>
}

type Place = { program: string; folder: string; configuration: string; port: number }

/**
 * Starts nats-server with its streams in the data folder, or adopts the one that an earlier server left running. It runs
 * in a session of its own and is started again whenever it dies; what it had acknowledged is on disk.
 */
export async function startLocalNats(data: string, program: string): Promise<LocalNats> {
  const folder = join(data, 'nats')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const configuration = join(folder, 'nats.conf')
  const left = await leftRunning(configuration)
  const place: Place = { program, folder, configuration, port: portOf(configuration) ?? 0 }
  const server = readKey(data, 'server')
  const own = readKey(data, `agent-${builtInAgent}`)
  const configure = (agents: AdmittedAgent[]) => {
    const all = [{ agentId: builtInAgent, publicKey: own.publicKey }, ...agents]
    writeWhole(configuration, natsConfiguration(folder, place.port, server.publicKey, all))
  }
  if (!left) moveStore(folder)
  // The one that was left running keeps its agents until it is told which they are.
  const watched = await watch(place, left ?? (await startOnFreePort(place, () => configure([]))))
  return {
    url: urlOf(place.port),
    port: place.port,
    natsCredential: server.seed,
    agentSeed: own.seed,
    async admit(agents) {
      configure(agents)
      await watched.readConfiguration()
    },
    stop: watched.stop,
  }
}

/** Where the one of a data folder listens, and the seed of its server. */
export const signInOf = (data: string): { url: string; seed: string } => ({
  url: urlOf(portOf(join(data, 'nats/nats.conf')) ?? 0),
  seed: readKey(data, 'server').seed,
})

const urlOf = (port: number): string => `nats://127.0.0.1:${port}`

/**
 * The one that an earlier server left running. One whose configuration is from before there were accounts is ended: its
 * streams are in no account of ours.
 */
async function leftRunning(configuration: string): Promise<Known | undefined> {
  const left = findByWords(`-c ${configuration}`)
  if (!left || hasAccounts(configuration)) return left
  process.kill(left.pid, 'SIGTERM')
  if (!(await waitForEnd(left, 10_000))) process.kill(left.pid, 'SIGKILL')
  return undefined
}

/** The streams of a data folder from before there were accounts become those of the server's account. */
function moveStore(folder: string): void {
  const accounts = join(folder, 'jetstream/jetstream')
  const [before, now] = [join(accounts, '$G'), join(accounts, serverAccount)]
  if (existsSync(before) && !existsSync(now)) renameSync(before, now)
}

/**
 * Starts one where it listened before if that is still free. A port that was free may be taken by another program before
 * nats-server has it: then on another.
 */
async function startOnFreePort(place: Place, configure: () => void): Promise<Known> {
  for (let tries = 1; ; tries++) {
    place.port = await freePort(place.port)
    configure()
    const started = spawnOne(place)
    if (await isReady(started, place)) return started
    if (tries === 5 || !says(place, started, 'address already in use')) throw doesNotListen(place)
  }
}

/** Keeps one running from now on until it is stopped. */
async function watch(place: Place, first: Known) {
  let running = first
  if (!(await isReady(running, place))) throw doesNotListen(place)
  let reading = Promise.resolve()
  const readConfiguration = () => (reading = reading.then(() => readTwice(running, place)))
  const kept = keepRunning(
    () => isAlive(running),
    async () => {
      running = spawnOne(place)
      await isReady(running, place)
    },
  )
  return {
    readConfiguration,
    async stop() {
      await kept.stop()
      if (isAlive(running)) process.kill(running.pid, 'SIGTERM')
      if (await waitForEnd(running, 10_000)) return
      process.kill(running.pid, 'SIGKILL')
    },
  }
}

/** Milliseconds that nats-server may take to read its configuration, before it is told again or taken to have read it. */
const readWithinMs = 2_000

/**
 * Has nats-server read its configuration again, and once more: an account that is new in it reaches the services of others
 * only from the second time on (seen with 2.9.10).
 */
async function readTwice(running: Known, place: Place): Promise<void> {
  for (let time = 0; time < 2 && isAlive(running); time++) {
    const before = sizeOfLog(place)
    process.kill(running.pid, 'SIGHUP')
    for (const end = Date.now() + readWithinMs; Date.now() < end; await pause(10))
      if (logSince(place, before).includes('Reloaded server configuration')) break
  }
}

const logOf = ({ folder }: Place): string => join(folder, 'nats.log')

const sizeOfLog = (place: Place): number => statSync(logOf(place)).size

const logSince = (place: Place, size: number): string => readFileSync(logOf(place)).subarray(size).toString()

function spawnOne(place: Place): Known {
  const { program, folder, configuration } = place
  const log = openSync(logOf(place), 'a', 0o600)
  const env = plainEnvironment()
  const child = spawn(program, ['-c', configuration], { env, detached: true, stdio: ['ignore', log, log] })
  child.on('error', () => {})
  child.unref()
  closeSync(log)
  const started = child.pid === undefined ? undefined : findProcess(child.pid)
  if (!started) throw new Error(`${program} does not start; see ${logOf(place)}`)
  writeWhole(join(folder, 'running.json'), JSON.stringify(started))
  return started
}

/** Waits until it says that it is ready, as on its port another program may answer; false when it ends, or takes ten seconds. */
async function isReady(running: Known, place: Place): Promise<boolean> {
  for (let tries = 0; tries < 500 && isAlive(running); tries++) {
    if (says(place, running, 'Server is ready')) return true
    await pause(20)
  }
  return false
}

/** Whether these words stand in its lines of the log, each of which begins with its process number. */
const says = (place: Place, { pid }: Known, words: string): boolean =>
  logSince(place, 0)
    .split('\n')
    .some((line) => line.startsWith(`[${pid}] `) && line.includes(words))

const doesNotListen = (place: Place): Error =>
  new Error(`nats-server does not listen on port ${place.port}; see ${logOf(place)}`)

/** Written beside and moved, so that a kill leaves the old text or the new one. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** An nkey: the seed signs in and stays secret, the public key is what nats-server knows. */
type Key = { seed: string; publicKey: string }

/** The key of that name in the data folder; made at the first start, readable by its owner alone. */
export function readKey(data: string, name: string): Key {
  const folder = join(data, 'keys')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${name}.nk`)
  if (!existsSync(file)) writeFileSync(file, text(nkeys.createUser().getSeed()), { mode: 0o600 })
  const seed = readFileSync(file, 'utf8')
  return { seed, publicKey: nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey() }
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
