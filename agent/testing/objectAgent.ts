import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { readConfig } from '../config.ts'
import { readMachine } from '../machine.ts'
import { openConnection } from '../connection.ts'
import type { Systems } from '../systems/index.ts'
import { messageOf } from '../systems/system.ts'
import { startTasks } from '../tasks.ts'
import { madeUpObjects, madeUpStoreFor } from './madeUpStore.ts'

/**
 * An agent whose only system is a generated object store. Ten times a second, it reports its requests and memory to its
 * parent.
 */
const [objects = '0', behaviour = '{}'] = process.argv.slice(2)
const config = readConfig(process.env)
const log = pino({ level: config.logLevel ?? 'error' })
const made = madeUpObjects(Number(objects))
let store: ReturnType<typeof madeUpStoreFor> | undefined
const systems: Systems = {
  async open(order, signal) {
    store = madeUpStoreFor(order as ScanOrder, made, JSON.parse(behaviour))
    return {
      listing: 'pages',
      pages: store,
      signal,
      server: 'a store',
      check: async () => {},
      reasonOf: messageOf,
      capacity: async () => undefined,
      close: async () => {},
    }
  },
  settled: async () => {},
}
const run = process.env['AGENT_RUN'] ?? randomUUID()
const connection = await openConnection(config, { run, machine: readMachine(config.state, run) }, log)
startTasks({ connection, systems, state: config.state })
process.once('disconnect', () => process.exit(0))
setInterval(() => process.send?.({ requests: store?.requests() ?? 0, memory: process.memoryUsage.rss() }), 100)
