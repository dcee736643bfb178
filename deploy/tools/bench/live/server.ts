import { readConfig } from '#server/platform/config.ts'
import { type Server, type Stores, serve } from '#server/serve.ts'
import { serveCalls } from '../../kit/child.ts'
import { openSessions } from '../../kit/product.ts'
import { allowPages, appendFor, beginJobs } from './appending.ts'
import type { Load } from './load.ts'

let server: Server | undefined

/** The server of the benchmark, in a separate process, so that its memory is that of a server. It also appends events, like real servers. */
const calls = {
  async serve(stores: Stores): Promise<{ address: string; cookies: string[] }> {
    server = await serve(readConfig(), stores)
    const { db } = server.platform
    await beginJobs(db, 100)
    await allowPages(db, 100_000)
    return { address: server.address, cookies: await openSessions(db, 1) }
  },
  /** `cpu` is the number of cores used. */
  async append(load: Load) {
    if (!server) throw new Error('The server is not started')
    const used = process.cpuUsage()
    const appended = await appendFor(server.platform.db, load)
    const { user, system } = process.cpuUsage(used)
    return { ...appended, cpu: (user + system) / 1_000_000 / appended.seconds }
  },
  /** Bytes: resident memory, and the heap after a garbage collection. */
  memory() {
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    return { rss, heap: heapUsed }
  },
}
export type ServerCalls = typeof calls

await serveCalls(calls, () => server?.stop())
