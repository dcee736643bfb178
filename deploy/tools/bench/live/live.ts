import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startLocalStores } from '#deploy/local/stores/index.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Child, startChild } from '../../kit/child.ts'
import { scratchFolder } from '../../kit/product.ts'
import { defineBench } from '../benchCase.ts'
import { startSockets } from './startSockets.ts'
import type { ServerCalls } from './server.ts'

const measureIntervalMs = 10_000

/**
 * `npm run bench -- live [--seconds 60]`: a server with its own stores, 500 sockets in another process on the topics of
 * 20 jobs, and 200 job events per second. Prints the time from the commit of an event to its frame, lost and repeated
 * events, and the server's memory. `--sockets`, `--jobs`, `--rate` change the load.
 */
export const bench = defineBench({
  options: { seconds: 60, sockets: 500, jobs: 20, rate: 200 },
  async run(load) {
    const data = scratchFolder()
    const stores = await startLocalStores({ ...readConfig(), data }, () => {})
    const env = { ...process.env, DATAINTELL_DATA: data, PORT: '0' }
    const program = pathToFileURL(join(import.meta.dirname, 'server.ts'))
    const server = startChild<ServerCalls>(program, [], { env, execArgv: ['--expose-gc'] })
    const sockets = startSockets(load)
    try {
      const { address, cookies } = await server.call('serve', stores)
      await sockets.open([address], cookies)
      console.log(`${load.sockets} sockets on ${load.jobs} jobs, ${load.rate} events per second for ${load.seconds} s`)
      const started = performance.now()
      const measure = () => printMemory(server, started)
      await measure()
      const measuring = setInterval(() => void measure(), measureIntervalMs)
      const appended = await server.call('append', load)
      clearInterval(measuring)
      // Waits for the last events to be delivered.
      await pause(3_000)
      await measure()
      await sockets.report(appended)
      console.log(`the server used ${(appended.cpu * 100).toFixed(0)} % of a core, appending included`)
    } finally {
      await sockets.end()
      await server.end()
      await stores.stop()
    }
  },
})

async function printMemory(server: Child<ServerCalls>, started: number): Promise<void> {
  const seconds = (performance.now() - started) / 1_000
  const { rss, heap } = await server.call('memory')
  const [resident, used] = [rss, heap].map((bytes) => `${(bytes / 1024 / 1024).toFixed(1).padStart(6)} MB`)
  console.log(`server after ${seconds.toFixed(0).padStart(4)} s: RSS ${resident}, heap ${used}`)
}
