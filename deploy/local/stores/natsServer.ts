import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { builtInAgent } from '#events/agents.ts'
import { agentPermissions, type Key, readKey } from './natsKeys.ts'
import { findProcess, freePort, isAlive, type Known, waitForEnd } from './processes.ts'

/** A nats-server of ours that runs, how to sign in to it, and how to stop it. */
export type LocalNats = { url: string; natsCredential: string; agentSeed: string; stop(): Promise<void> }

type Running = Known & { port: number }

/** How often we look whether it still runs, in milliseconds. */
const watchEvery = 250

/**
 * Starts nats-server with its streams in the data folder, or adopts the one that an earlier server left running. It runs
 * in a session of its own and is started again whenever it dies; what it had acknowledged is on disk.
 */
export async function startLocalNats(data: string, program: string): Promise<LocalNats> {
  const folder = join(data, 'nats')
  mkdirSync(folder, { recursive: true })
  const server = readKey(data, 'server')
  const agent = readKey(data, `agent-${builtInAgent}`)
  const known = readRunning(folder)
  const port = known?.port ?? (await freePort())
  writeConfiguration(folder, port, server, agent)
  let running = known && isAlive(known) ? known : await start(program, folder, port)
  let stopping = false
  const look = async () => {
    if (!stopping && !isAlive(running)) running = await start(program, folder, port)
  }
  let round = Promise.resolve()
  // One that does not start now is tried again at the next look; health tells meanwhile that NATS is away.
  const timer = setInterval(() => void (round = round.then(look).catch(() => {})), watchEvery)
  return {
    url: `nats://127.0.0.1:${port}`,
    natsCredential: server.seed,
    agentSeed: agent.seed,
    async stop() {
      stopping = true
      clearInterval(timer)
      await round
      if (isAlive(running)) process.kill(running.pid, 'SIGTERM')
      if (!(await waitForEnd(running, 10_000))) process.kill(running.pid, 'SIGKILL')
    },
  }
}

function readRunning(folder: string): Running | undefined {
  const file = join(folder, 'running.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Running) : undefined
}

async function start(program: string, folder: string, port: number): Promise<Running> {
  const log = openSync(join(folder, 'nats.log'), 'a', 0o600)
  const child = spawn(program, ['-c', join(folder, 'nats.conf')], { detached: true, stdio: ['ignore', log, log] })
  child.unref()
  closeSync(log)
  const started = child.pid === undefined ? undefined : findProcess(child.pid)
  if (!started) throw new Error(`${program} does not start; see ${join(folder, 'nats.log')}`)
  const running = { ...started, port }
  writeWhole(join(folder, 'running.json'), JSON.stringify(running))
  await untilItListens(running, folder)
  return running
}

async function untilItListens(running: Running, folder: string): Promise<void> {
  for (let tries = 0; tries < 500 && isAlive(running); tries++) {
    const socket = connectSocket(running.port, '127.0.0.1')
    const [listens] = await Promise.race([
      once(socket, 'connect').then(() => [true]),
      once(socket, 'error').then(() => [false]),
    ]).catch(() => [false])
    socket.destroy()
    if (listens) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`nats-server does not listen on port ${running.port}; see ${join(folder, 'nats.log')}`)
}

function writeConfiguration(folder: string, port: number, server: Key, agent: Key): void {
  const { publish, subscribe, allow_responses } = agentPermissions(builtInAgent)
  const configuration = {
    listen: `127.0.0.1:${port}`,
    server_name: 'dataintell',
    max_payload: 1024 * 1024,
    logtime: true,
    jetstream: {
      store_dir: join(folder, 'jetstream'),
      max_file_store: 8 * 1024 ** 3,
      max_memory_store: 64 * 1024 ** 2,
    },
    authorization: {
      users: [
        { nkey: server.publicKey },
        {
          nkey: agent.publicKey,
          permissions: { publish: { allow: publish }, subscribe: { allow: subscribe }, allow_responses },
        },
      ],
    },
  }
  // JSON is a configuration that nats-server reads.
  writeWhole(join(folder, 'nats.conf'), JSON.stringify(configuration, undefined, 2))
}

/** Written beside and moved, so that a kill leaves the old text or the new one. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
