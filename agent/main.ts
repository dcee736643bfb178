import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import type { AgentMachine } from '#events/agents.ts'
import { type Config, readConfig } from './config.ts'
import { openConnection } from './connection.ts'
import { readMachine } from './machine.ts'
import { startPresence, type Work } from './presence.ts'
import { startQuestions } from './questions.ts'
import { threadsLeftAlone } from './scan/folders/thread.ts'
import { openSystems } from './systems/index.ts'
import { startTasks } from './tasks.ts'

/** How long the agent may take to stop before it is killed. */
const stopTimeoutMs = 3_000
/** How long what is left to be published may take to go out. */
const drainTimeoutMs = 1_000

/** Stops what runs, in order; until the agent is connected that is nothing. */
let stop = async () => {}
let ending = false

process.once('SIGTERM', () => void end(0))
process.once('SIGINT', () => void end(0))
// Emitted when the server that started this agent is gone.
process.once('disconnect', () => void end(0))

const { config, machine, run } = configured()
// The built-in agent speaks into its server's console, where only trouble is of interest.
const log = pino({ level: config.logLevel ?? (process.channel ? 'warn' : 'info'), base: { agent: config.agentId } })
log.info({ machine: machine.id.slice(0, 8), run: run.slice(0, 8) }, 'The agent starts')
const connection = await openConnection(config, { run, machine }, log)
const systems = await openSystems(config.state, log)
const presence = startPresence(connection, startWork)
stop = async () => {
  await presence.stop()
  await Promise.race([connection.nats.drain().catch(() => {}), wait(drainTimeoutMs)])
}

const error = await connection.nats.closed()
if (error) log.fatal({ reason: error.message }, 'The connection to NATS ended')
await end(error ? 1 : 0)

function startWork(): Work {
  const tasks = startTasks({ connection, systems, state: config.state })
  const stopQuestions = startQuestions({ connection, systems })
  return {
    running: tasks.running,
    async stop() {
      stopQuestions()
      await tasks.stop()
      await systems.settled()
    },
  }
}

/** Stops and ends the process, whatever hangs: a thread held by a dead mount would hold an ordinary exit for ever. */
async function end(code: number): Promise<void> {
  if (ending) return
  ending = true
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopTimeoutMs)
  await stop()
  if (threadsLeftAlone() > 0) process.kill(process.pid, 'SIGKILL')
  process.exit(code)
}

function configured(): { config: Config; machine: AgentMachine; run: string } {
  try {
    const config = readConfig(process.env)
    const run = config.run ?? randomUUID()
    return { config, machine: readMachine(config.state, run), run }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}
