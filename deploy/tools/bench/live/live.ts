import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { startLocalStores } from '#deploy/local/stores/index.ts'
import {
  type FromServer,
  type FromSockets,
  type Load,
  messagesOf,
  printReport,
  type Report,
  type ToServer,
  type ToSockets,
} from './messages.ts'

/**
 * `npm run bench -- live [--seconds 60]`: a server with its own stores, 500 sockets in another process on the topics of
 * 20 jobs, and 200 job events per second. Prints the time from the commit of an event to its frame, lost and repeated
 * events, and the server's memory. `--sockets`, `--jobs`, `--rate` change the load.
 */
const { values: given } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '60' },
    sockets: { type: 'string', default: '500' },
    jobs: { type: 'string', default: '20' },
    rate: { type: 'string', default: '200' },
  },
})
const load: Load = {
  jobs: Number(given.jobs),
  sockets: Number(given.sockets),
  rate: Number(given.rate),
  seconds: Number(given.seconds),
}
const data = mkdtempSync(join(tmpdir(), 'dataintell-bench-'))
// Postgres may run as another user, which must be able to enter its folder.
chmodSync(data, 0o711)
process.once('exit', () => rmSync(data, { recursive: true, force: true }))

const stores = await startLocalStores({ ...readConfig(), data }, () => {})
const env = { ...process.env, DATAINTELL_DATA: data, PORT: '0' }
const server = fork(join(import.meta.dirname, 'server.ts'), { env, execArgv: ['--expose-gc'] })
const sockets = fork(join(import.meta.dirname, 'sockets.ts'))
try {
  await measure()
} finally {
  sockets.kill()
  await stopServer()
  await stores.stop()
}
process.exit(server.exitCode ?? 1)

async function stopServer() {
  if (!server.connected) return
  tell(server, { type: 'stop' })
  await once(server, 'exit')
}

async function measure() {
  const fromServer = messagesOf<FromServer>(server)
  const fromSockets = messagesOf<FromSockets>(sockets)
  tell(server, { type: 'serve', stores })
  for await (const message of fromServer) {
    if (message.type === 'memory') reportMemory(message)
    if (message.type === 'ready') {
      tell(sockets, { type: 'open', addresses: [message.address], cookies: [message.cookie], load })
      await fromSockets.next()
      console.log(`${load.sockets} sockets on ${load.jobs} jobs, ${load.rate} events per second for ${load.seconds} s`)
      tell(server, { type: 'append', load })
    }
    if (message.type === 'appended') {
      tell(sockets, { ...message, type: 'report' })
      const { value } = await fromSockets.next()
      if (value?.type === 'report') report(value, message)
      return
    }
  }
}

function reportMemory({ after, memory }: Extract<FromServer, { type: 'memory' }>) {
  const [rss, heap] = [memory.rss, memory.heap].map((bytes) => `${(bytes / 1024 / 1024).toFixed(1).padStart(6)} MB`)
  console.log(`server after ${after.toFixed(0).padStart(4)} s: RSS ${rss}, heap ${heap}`)
}

function report(found: Report, { committed, seconds, cpu }: Extract<FromServer, { type: 'appended' }>) {
  printReport(found, committed.length / seconds, load)
  console.log(`the server used ${(cpu * 100).toFixed(0)} % of a core, appending included`)
}

function tell(child: ChildProcess, message: ToServer | ToSockets) {
  child.send(message)
}
