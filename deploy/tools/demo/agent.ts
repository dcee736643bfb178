import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { emptyProbe, type FolderProbe } from '#events/sources/folderCheck.ts'
import type { BucketAnswer } from '#events/sources/bucketQuestion.ts'
import { subjects } from '#events/subjects.ts'
import { ActionFailed } from '#agent/actions/action.ts'
import { runAction } from '#agent/actions/runAction.ts'
import { readConfig } from '#agent/config.ts'
import { type Connection, openConnection } from '#agent/connection.ts'
import { readMachine } from '#agent/machine.ts'
import { startPresence } from '#agent/presence.ts'
import type { Systems } from '#agent/systems/index.ts'
import { startTasks, type TaskRunners } from '#agent/tasks.ts'
import { scanMadeUp } from './scanMadeUp.ts'

/**
 * The built-in agent of a demo. It takes tasks and reports scans as the real one does, but its storages are made up: it never
 * reads a disk, mounts a share or connects to a storage.
 */
const drainTimeoutMs = 1_000
const noAction = 'This is a demo: its files are made up, so they can be searched and scanned, but not copied or read.'

const config = readConfig(process.env)
const run = config.run ?? randomUUID()
// The console of a demo is read by people who have just met the product.
const log = pino({ level: config.logLevel ?? 'fatal', base: { agent: config.agentId } })
const connection = await openConnection(config, { run, machine: readMachine(config.state, run) }, log)
const noSystems: Systems = {
  open: () => Promise.reject(new Error(noAction)),
  settled: async () => {},
}
const presence = startPresence(connection, startWork)
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.once(event, () => void end())

function startWork() {
  const context = { connection, systems: noSystems, state: config.state }
  const scan = scanMadeUp(dirname(config.state))
  const tasks = startTasks(context, { scan, action: refuseAction })
  const stopAnswers = answerRequests(connection)
  return {
    running: tasks.running,
    async stop() {
      stopAnswers()
      await tasks.stop()
    },
  }
}

const refuseAction: TaskRunners['action'] = (context, task, signal) =>
  runAction(context, task, signal, () => Promise.reject(new ActionFailed(noAction)))

/** Answers wizards: no folder of this machine is looked into, and every bucket of the studio can be listed. */
function answerRequests({ nats, agentId }: Connection): () => void {
  const look: FolderProbe = { ...emptyProbe, reason: noAction }
  const bucket: BucketAnswer = { reason: null, field: null, isDenied: false, names: [] }
  const answers = [
    { subject: subjects.look(agentId), answer: look },
    { subject: subjects.bucket(agentId), answer: bucket },
  ].map(({ subject, answer }) =>
    nats.subscribe(subject, { callback: (_, message) => void message.respond(JSON.stringify(answer)) }),
  )
  return () => answers.forEach((answer) => answer.unsubscribe())
}

async function end(): Promise<void> {
  await presence.stop()
  await Promise.race([connection.nats.drain().catch(() => {}), wait(drainTimeoutMs)])
  process.exit(0)
}
