import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { type Config, readConfig } from './config.ts'
import { openLine } from './line.ts'
import { startPresence } from './presence.ts'
import { threadsLeftAlone } from './scan/thread.ts'
import { openMounts } from './systems/network-mount/index.ts'
import { startTasks } from './tasks.ts'

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
const line = await openLine(config, randomUUID(), log)
const mounts = await openMounts(config.state, log)
const tasks = startTasks({ line, mounts })
const presence = startPresence(line, tasks.running)
stop = async () => {
  await tasks.stop()
  await mounts.settled()
  presence.stop()
  // What is left to be said goes out, if NATS is there to hear it.
  await Promise.race([line.connection.drain().catch(() => {}), wait(1_000)])
}
log.info('The agent is ready')

const error = await line.connection.closed()
if (error) log.fatal({ reason: error.message }, 'The connection to NATS ended')
await end(error ? 1 : 0)

/** Stops and ends the process, whatever hangs: a thread held by a dead mount would hold an ordinary exit for ever. */
async function end(code: number): Promise<void> {
  if (ending) return
  ending = true
  const patience = 3_000
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), patience)
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
