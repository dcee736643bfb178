import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { streams } from '#events/subjects.ts'
import type { Nats } from '#server/platform/nats/nats.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { atEnd } from '../kit/ends.ts'
import { defineRun, type Findings } from './findings.ts'
import { megabytes, memoryOf, openFilesOf } from '../kit/proc.ts'
import { openSockets } from '../kit/product.ts'
import { bytesIn, openMessages } from './product.ts'
import { changeTree, openSite, type Site } from './site.ts'

const browsers = 20
const topics = ['dashboard', 'changed', 'jobs', 'log'] as const

/** One measurement. Memory and logs in bytes; `sockets` counts open browsers, `messages` those that wait in the streams. */
type Sample = Record<(typeof measures)[number], number>
const measures = [
  'seconds',
  'server',
  'agent',
  'postgres',
  'nats',
  'files',
  'agentFiles',
  'sockets',
  'messages',
  'logs',
] as const

/**
 * Growth from the middle of a run to its end that a product without a leak stays below. Before the middle, caches fill and code is
 * compiled. Sizes in bytes; `logs` per minute.
 */
const maxGrowth = { server: 256e6, agent: 64e6, postgres: 64e6, nats: 64e6, files: 40, agentFiles: 20, logs: 1e6 }
/** Messages that may wait in the streams at the end, when no scan runs. */
const maxMessages = 100

/**
 * A product under constant load: scans every `every` seconds of storages that change, 20 browsers, exports and tags. Prints
 * its curves as CSV and compares them with the limits above.
 */
export const tool = defineRun(
  'soak',
  { minutes: 2, every: 20 },
  async ({ seed, minutes, every }, { folder, findings }) => {
    const site = await openSite(folder)
    const nats = await openMessages(site.data)
    atEnd(() => nats.close())
    const sockets = await openSockets(site.product().address, topics, browsers)
    atEnd(() => sockets.forEach((socket) => socket.terminate()))
    const random = newRandom(seed)
    const end = Date.now() + minutes * 60_000
    let isOver = false
    const loads = [
      repeat(every * 1_000, async (round) => {
        for (const tree of site.trees) changeTree(random, tree, round)
        const failed = (await site.work(round)).find(({ status }) => status >= 500 || status === 0)
        if (failed) findings.add('a call fails under load', JSON.stringify(failed))
      }),
      repeat(every * 500, async () => {
        const { status } = await site.product().call('GET', '/files/search/csv')
        if (status !== 200) findings.add('an export fails under load', String(status))
      }),
    ]
    const samples = await measureUntil(end, () => sampleOf(site, { nats, sockets }))
    isOver = true
    await Promise.all(loads)
    judge(samples, minutes, findings)

    async function repeat(everyMs: number, work: (round: number) => Promise<void>): Promise<void> {
      for (let round = 1; !isOver; round++) {
        const next = Date.now() + everyMs
        await work(round)
        while (!isOver && Date.now() < next) await pause(200)
      }
    }
  },
)

/** Prints and returns some 120 measurements, but at most one every five seconds. */
async function measureUntil(end: number, measure: () => Promise<Omit<Sample, 'seconds'>>): Promise<Sample[]> {
  const started = Date.now()
  const everyMs = Math.max(5_000, (end - started) / 120)
  console.log(measures.join(','))
  const samples: Sample[] = []
  while (Date.now() < end) {
    const sample = { seconds: Math.round((Date.now() - started) / 1_000), ...(await measure()) }
    samples.push(sample)
    console.log(measures.map((name) => sample[name]).join(','))
    await pause(everyMs)
  }
  return samples
}

type Measured = { nats: Nats; sockets: WebSocket[] }

async function sampleOf(site: Site, { nats, sockets }: Measured): Promise<Omit<Sample, 'seconds'>> {
  const { server, agent, postgres, nats: natsServer } = site.pids()
  const infos = await Promise.all(Object.values(streams).map((name) => nats.jsm.streams.info(name)))
  return {
    server: memoryOf(server),
    agent: memoryOf(agent),
    postgres: memoryOf(postgres),
    nats: memoryOf(natsServer),
    files: openFilesOf(server),
    agentFiles: openFilesOf(agent),
    sockets: sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length,
    messages: infos.reduce((sum, { state }) => sum + state.messages, 0),
    logs: bytesIn(join(site.data, 'logs')) + bytesIn(join(site.data, 'nats/nats.log')),
  }
}

/** Compares the largest values of the last quarter with those of the quarter before the middle. */
function judge(samples: readonly Sample[], minutes: number, findings: Findings): void {
  const part = (from: number, to: number) =>
    samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to))
  const maxOf = (some: readonly Sample[], name: keyof Sample) => Math.max(...some.map((sample) => sample[name]))
  const [before, last] = [part(0.25, 0.5), part(0.75, 1)]
  for (const [name, limit] of Object.entries(maxGrowth) as [keyof typeof maxGrowth, number][]) {
    const grown = maxOf(last, name) - maxOf(before, name)
    const max = name === 'logs' ? limit * Math.max(1, minutes / 2) : limit
    const text = (value: number) => (limit > 1_000 ? megabytes(value) : String(value))
    console.log(`${name}: grew by ${text(grown)} of at most ${text(max)}`)
    if (grown > max) findings.add(`${name} grows without end`, `by ${text(grown)}`)
  }
  const waiting = Math.min(...last.map(({ messages }) => messages))
  if (waiting > maxMessages) findings.add('messages pile up in the streams', String(waiting))
  const open = Math.min(...last.map(({ sockets }) => sockets))
  if (open < browsers) findings.add('browsers lost their connection', `${open} of ${browsers} are open`)
}
