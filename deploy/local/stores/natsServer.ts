import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
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
  const port = (left && portOf(configuration)) ?? (await freePort(portOf(configuration)))
  const place = { program, folder, configuration, port }
  const server = readKey(data, 'server')
  const own = readKey(data, `agent-${builtInAgent}`)
  const configure = (agents: AdmittedAgent[]) => {
    const all = [{ agentId: builtInAgent, publicKey: own.publicKey }, ...agents]
    writeWhole(configuration, natsConfiguration(folder, port, server.publicKey, all))
  }
  // The one that was left running keeps its agents until it is told which they are.
  if (!left) {
    configure([])
    moveStore(folder)
  }
  const watched = await watch(place, left)
  return {
    url: urlOf(port),
    port,
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

/** Keeps one running from now on until it is stopped. */
async function watch(place: Place, left: Known | undefined) {
  let running = left ?? (await start(place))
  let reading = Promise.resolve()
  const readConfiguration = () => (reading = reading.then(() => readTwice(running, place)))
  await untilItListens(running, place)
  const kept = keepRunning(
    () => isAlive(running),
    async () => {
      running = await start(place)
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
async function readTwice(running: Known, { folder }: Place): Promise<void> {
  const log = join(folder, 'nats.log')
  for (let time = 0; time < 2 && isAlive(running); time++) {
    const before = statSync(log).size
    process.kill(running.pid, 'SIGHUP')
    for (const end = Date.now() + readWithinMs; Date.now() < end; await pause(10))
      if (readFileSync(log).subarray(before).includes('Reloaded server configuration')) break
  }
}

async function start(place: Place): Promise<Known> {
  const { program, folder, configuration } = place
  const log = openSync(join(folder, 'nats.log'), 'a', 0o600)
  const env = plainEnvironment()
  const child = spawn(program, ['-c', configuration], { env, detached: true, stdio: ['ignore', log, log] })
  child.on('error', () => {})
  child.unref()
  closeSync(log)
  const started = child.pid === undefined ? undefined : findProcess(child.pid)
  if (!started) throw new Error(`${program} does not start; see ${join(folder, 'nats.log')}`)
  writeWhole(join(folder, 'running.json'), JSON.stringify(started))
  await untilItListens(started, place)
  return started
}

async function untilItListens(running: Known, { port, folder }: Place): Promise<void> {
  for (let tries = 0; tries < 500 && isAlive(running); tries++) {
    if (await listens(port)) return
    await pause(20)
  }
  throw new Error(`nats-server does not listen on port ${port}; see ${join(folder, 'nats.log')}`)
}

async function listens(port: number): Promise<boolean> {
  const socket = connectSocket(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

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
