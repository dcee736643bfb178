import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { builtInAgent } from '#events/agents.ts'
import type { AdmittedAgent } from '#server/platform/agentDoor.ts'
import { keepRunning } from './keepRunning.ts'
import { natsConfiguration, portOf } from './natsConfiguration.ts'
import { readKey } from './natsKeys.ts'
import { findByWords, findProcess, freePort, isAlive, type Known, plainEnvironment, waitForEnd } from './processes.ts'

/** A nats-server of ours that runs, how to sign in to it, and how to stop it. */
export type LocalNats = {
  url: string
  port: number
  natsCredential: string
  agentSeed: string
  /**
   * Lets in exactly these agents beside the built-in one, once nats-server has read its configuration again: in a moment.
   * Then it closes the connections of others; those that are let in stay.
   */
  admit(agents: AdmittedAgent[]): void
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
  const left = findByWords(`-c ${configuration}`)
  const port = (left && portOf(configuration)) ?? (await freePort(portOf(configuration)))
  const place = { program, folder, configuration, port }
  const server = readKey(data, 'server')
  const own = readKey(data, `agent-${builtInAgent}`)
  const configure = (agents: AdmittedAgent[]) => {
    const all = [{ agentId: builtInAgent, publicKey: own.publicKey }, ...agents]
    writeWhole(configuration, natsConfiguration(folder, port, server.publicKey, all))
  }
  // The one that was left running keeps its agents until it is told which they are.
  if (!left) configure([])
  const watched = await watch(place, left)
  return {
    url: urlOf(port),
    port,
    natsCredential: server.seed,
    agentSeed: own.seed,
    admit(agents) {
      configure(agents)
      watched.readConfiguration()
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

/** Keeps one running from now on until it is stopped. */
async function watch(place: Place, left: Known | undefined) {
  let running = left ?? (await start(place))
  const readConfiguration = () => void (isAlive(running) && process.kill(running.pid, 'SIGHUP'))
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
