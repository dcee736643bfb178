import { readConfig } from '#server/config.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Server, serve } from '#server/serve.ts'
import { signedIn } from '../questions/signedIn.ts'
import { allowPages, appendFor, beginJobs } from './appending.ts'
import type { FromServer, Load, Memory, ToServer } from './messages.ts'

/**
 * The server of the bench, in a separate process, so that its memory is that of a server. It also appends events, like
 * real servers.
 */
const measureIntervalMs = 10_000

let server: Server | undefined
process.on('message', (message: ToServer) => void answer(message))

async function answer(message: ToServer) {
  if (message.type === 'serve') {
    server = await serve(readConfig(), message.stores)
    await beginJobs(server.platform.db, 100)
    await allowPages(server.platform.db, 100_000)
    return say({ type: 'ready', address: server.address, cookie: await signedIn(server.platform.db) })
  }
  if (message.type === 'append' && server) return append(server.platform, message.load)
  await server?.stop()
  process.exit(0)
}

async function append({ db }: Platform, load: Load) {
  const started = performance.now()
  const measure = () => say({ type: 'memory', after: (performance.now() - started) / 1_000, memory: memory() })
  measure()
  const measuring = setInterval(measure, measureIntervalMs)
  const used = process.cpuUsage()
  const { committed, versions } = await appendFor(db, load)
  const { user, system } = process.cpuUsage(used)
  const seconds = (performance.now() - started) / 1_000
  const cpu = (user + system) / 1_000_000 / seconds
  clearInterval(measuring)
  // Waits for the last events to be delivered.
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  measure()
  say({ type: 'appended', committed, versions, seconds, cpu })
}

function memory(): Memory {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heap: heapUsed }
}

function say(message: FromServer) {
  process.send?.(message)
}
