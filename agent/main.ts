import './threadPool.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import type { AgentMachine } from '#events/agents.ts'
import { describeMachine, machine as machineFacts } from '#events/node/index.ts'
import { type Config, readConfig } from './config.ts'
import { openConnection } from './connection.ts'
import { startFollowing } from './feeds/follow.ts'
import { readMachine } from './machine.ts'
import { startPresence, type Work } from './presence.ts'
import { startRequestHandlers } from './requestHandlers.ts'
import { threadsLeftAlone } from './scan/folders/thread.ts'
import { openSystems } from './systems/index.ts'
import { startTasks } from './tasks.ts'
import { startWatchdog } from './watchdog/index.ts'

/** Milliseconds until an agent that is stopping is killed. */
const stopTimeoutMs = 3_000
/** Milliseconds to publish pending messages before the exit. */
const drainTimeoutMs = 1_000

/** Stops all work in order. Does nothing until the agent is connected. */
let stop = async () => {}
let isEnding = false

process.once('SIGTERM', () => void end(0))
process.once('SIGINT', () => void end(0))
// Emitted when the server that started this agent is gone.
process.once('disconnect', () => void end(0))

const { config, machine, run } = loadConfig()
// The built-in agent logs to its server's console, where only problems are of interest.
const log = pino({ level: config.logLevel ?? (process.channel ? 'warn' : 'info'), base: { agent: config.agentId } })
log.info({ machine: machine.id.slice(0, 8), run: run.slice(0, 8), ...describeMachine(machineFacts()) }, 'agent started')
const suspects = startWatchdog(config.state)
const connection = await openConnection(config, { run, machine }, log)
const systems = await openSystems(config.state, log, config.p5Dumps)
const presence = startPresence(connection, startWork)
stop = async () => {
  await presence.stop()
  await Promise.race([connection.nats.drain().catch(() => {}), wait(drainTimeoutMs)])
}

const error = await connection.nats.closed()
if (error) log.fatal({ reason: error.message }, 'NATS connection closed')
await end(error ? 1 : 0)

function startWork(): Work {
  const { state, mayChange, mayDelete } = config
  const tasks = startTasks({ connection, systems, state, mayChange, mayDelete, suspects })
  const stopHandlers = startRequestHandlers({ connection, systems, suspects })
  const following = startFollowing({ connection, state })
  return {
    running: tasks.running,
    async stop() {
      stopHandlers()
      await following.stop()
      await tasks.stop()
      await systems.settled()
    },
  }
}

/** Stops all work and ends the process. A thread held by a dead mount would block a normal exit forever. */
async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopTimeoutMs)
  await stop()
  if (threadsLeftAlone() > 0) process.kill(process.pid, 'SIGKILL')
  process.exit(code)
}

function loadConfig(): { config: Config; machine: AgentMachine; run: string } {
  try {
    machineFacts()
    const config = readConfig(process.env)
    const run = config.run ?? randomUUID()
    return { config, machine: readMachine(config.state, run), run }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}
