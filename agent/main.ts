import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { type Heartbeat, heartbeatEvery } from '#events/agents.ts'
import { subjects } from '#events/subjects.ts'
import packageJson from '../package.json' with { type: 'json' }
import { type Config, readConfig } from './config.ts'
import { openConnection } from './connection.ts'
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

const config = configured()
// The built-in agent speaks into its server's console, where only trouble is of interest.
const log = pino({ level: config.logLevel ?? (process.channel ? 'warn' : 'info'), base: { agent: config.agentId } })
const connection = await openConnection(config, randomUUID(), log)
const systems = await openSystems(config.state, log)
const tasks = startTasks({ connection, systems, state: config.state })
const stopQuestions = startQuestions({ connection, systems })
const stopHeartbeats = startHeartbeats()
stop = async () => {
  stopQuestions()
  await tasks.stop()
  await systems.settled()
  stopHeartbeats()
  await Promise.race([connection.nats.drain().catch(() => {}), wait(drainTimeoutMs)])
}
log.info('The agent is ready')

const error = await connection.nats.closed()
if (error) log.fatal({ reason: error.message }, 'The connection to NATS ended')
await end(error ? 1 : 0)

/** Says every few seconds that this agent lives and which tasks it works on, which renews their leases. */
function startHeartbeats(): () => void {
  const { agentId, run, nats } = connection
  const beat = () => {
    const heartbeat: Heartbeat = {
      run,
      version: packageJson.version,
      host: hostname(),
      tasks: tasks.running(),
      memory: process.memoryUsage.rss(),
    }
    if (!nats.isClosed()) nats.publish(subjects.heartbeat(agentId), JSON.stringify(heartbeat))
  }
  beat()
  const timer = setInterval(beat, heartbeatEvery)
  return () => clearInterval(timer)
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

function configured(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}
