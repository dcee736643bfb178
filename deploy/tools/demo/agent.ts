import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { emptyProbe, type FolderProbe } from '#events/sources/folderCheck.ts'
import type { BucketAnswer } from '#events/sources/bucketQuestion.ts'
import { runAction } from '#agent/actions/index.ts'
import { readConfig } from '#agent/config.ts'
import { openConnection } from '#agent/connection.ts'
import { readMachine } from '#agent/machine.ts'
import { startPresence } from '#agent/presence.ts'
import { type RequestHandlers, requestHandlers, startRequestHandlers } from '#agent/requestHandlers.ts'
import { scanVolumes } from '#agent/scan/scanVolumes.ts'
import { systemsWith } from '#agent/systems/index.ts'
import { startTasks, type TaskRunners } from '#agent/tasks.ts'
import { RequestRefused } from '#agent/watchdog/index.ts'
import { scanMadeUp } from './scanMadeUp.ts'
import { changedDisk, disksOf, isOfDemo } from './systems/places.ts'

/**
 * The built-in agent of a demo. It takes tasks and reports scans as the real one does, but most storages are made up. It only reads the disks
 * of the demo, and only connects to the simulated systems.
 */
const drainTimeoutMs = 1_000
const noAction = 'This is a demo: only its own disks can be read, and only its simulated systems be reached.'

const config = readConfig(process.env)
const data = dirname(config.state)
const run = config.run ?? randomUUID()
// The console of a demo is read by people who have just met the product.
const log = pino({ level: config.logLevel ?? 'fatal', base: { agent: config.agentId } })
const connection = await openConnection(config, { run, machine: readMachine(config.state, run) }, log)
const noMounts = { open: () => Promise.reject(new Error(noAction)), settled: async () => {} }
const systems = systemsWith(noMounts, config.state)
const presence = startPresence(connection, startWork)
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.once(event, () => void end())

function startWork() {
  const mayChange = [disksOf(data).get(changedDisk) ?? '']
  const context = { connection, systems, state: config.state, mayChange, mayDelete: mayChange }
  const madeUp = scanMadeUp(data)
  const scan: TaskRunners['scan'] = (context, task, signal) =>
    isOfDemo(data, task.order.source) && task.order.source.kind !== 'fileStorage'
      ? scanVolumes(context, task, signal)
      : madeUp(context, task, signal)
  const tasks = startTasks(context, { scan, action })
  const stopHandlers = startRequestHandlers(context, answersOf(requestHandlers(context)))
  return {
    running: tasks.running,
    async stop() {
      stopHandlers()
      await tasks.stop()
    },
  }
}

/** Comparisons and quarantines are of files on the disks: the server leaves out all others. */
const action: TaskRunners['action'] = (context, task, signal) => {
  const { system } = task.order
  const isAllowed = ['compare', 'quarantine', 'readMedia'].includes(system.kind) || isOfDemo(data, system)
  return runAction(isAllowed ? context : { ...context, refusal: noAction }, task, signal)
}

/** Answers wizards: only folders of the demo's disks are looked into, and every bucket of the studio can be listed. */
function answersOf(handlers: RequestHandlers): RequestHandlers {
  const look: FolderProbe = { ...emptyProbe, reason: noAction }
  const bucket: BucketAnswer = { reason: null, field: null, isDenied: false, names: [] }
  const guarded = Object.entries(handlers).map(([name, answer]) => [
    name,
    async (text: string) => {
      if (isOfDemo(data, JSON.parse(text) as object)) return answer(text)
      if (name === 'look') return look
      throw new RequestRefused(noAction)
    },
  ])
  return { ...(Object.fromEntries(guarded) as RequestHandlers), bucket: async () => bucket }
}

async function end(): Promise<void> {
  await presence.stop()
  await Promise.race([connection.nats.drain().catch(() => {}), wait(drainTimeoutMs)])
  process.exit(0)
}
