import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import { headers, type MsgHdrs } from 'nats'
import { NewAgent, protocolVersion } from '#events/agents.ts'
import { flushHeaders } from '#events/feeds/flushes.ts'
import { batchHeaders, batchMessageId } from '#events/scans/batches.ts'
import { newBlockWriter } from '#events/node/blocks/blockWriter.ts'
import { damage } from '#events/node/blocks/testing/damage.ts'
import { addSome, owners } from '#events/node/blocks/testing/randomRows.ts'
import { subjects } from '#events/subjects.ts'
import { type Nats, openNats } from '#server/platform/nats/nats.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import { eventually, openDatabase } from '../product.ts'
import { damaged, shown, withOneOdd } from './mutate.ts'
import type { Fuzzer, Target } from './target.ts'

/** A running scan of the hostile agent. */
type Scan = { id: number; taskId: number; attempt: number }

/** An agent with its own key, run and storage, and its connections. */
type Agent = { id: number; run: string; volumeId: number; nats: Nats; db: Db; scan(): Promise<Scan> }

/** Odd messages and damaged blocks of an agent that the server knows, with its own key, about a scan that it runs. */
export async function agentMessages(target: Target): Promise<Fuzzer> {
  const { agent, close } = await openAgent(target)
  return {
    async send(random) {
      const scan = await agent.scan()
      const isBlock = random.chance(0.4)
      const message = isBlock ? blockOf(random, agent, scan) : messageOf(random, agent, scan)
      const reply = random.chance(0.5) ? `_INBOX_agent-${agent.id}.${random.below(1_000)}` : undefined
      agent.nats.connection.publish(message.subject, message.data, {
        ...(reply && { reply }),
        ...(message.headers && { headers: message.headers }),
      })
      await agent.nats.connection.flush()
      return { input: `agent ${message.subject} ${message.text}` }
    },
    close,
  }
}

type Message = { subject: string; data: Uint8Array; headers?: MsgHdrs; text: string }

function messageOf(random: Random, agent: Agent, scan: Scan): Message {
  const [subject, valid] = random.pick(validMessages(agent, scan))
  const text = Buffer.from(JSON.stringify(withOneOdd(random, valid)) ?? '')
  const data = (random.chance(0.15) ? damaged(random, text) : text).subarray(0, 900_000)
  return { subject, data, text: shown(data) }
}

/** Messages of a correct agent. */
function validMessages({ id, run, volumeId }: Agent, scan: Scan): [string, object][] {
  const { taskId, attempt } = scan
  const lifecycle = subjects.lifecycle(id, scan.id)
  const event = { at: new Date().toISOString(), run, attempt }
  const counts = { entries: 1, directories: 1, bytes: 5, unreadable: 0, queued: 0, rate: 1 }
  const progress = { ...counts, currentPath: '/a' }
  const capacity = { total: 10, used: 5, free: 5, fileSystem: 'x' }
  const completed = { type: 'completed', ...event, batches: 4, progress, capacity, places: [], note: 'a' }
  const page = { taskId, run, attempt }
  return [
    [lifecycle, { type: 'started', ...event }],
    [lifecycle, { type: 'progressed', ...event, progress }],
    [lifecycle, { type: 'unreadable', ...event, path: '/a', error: 'EACCES' }],
    [lifecycle, completed],
    [
      lifecycle,
      {
        ...completed,
        versions: { noncurrent: { count: 1, bytes: 1 }, deleteMarkers: 0, incomplete: { count: 0, bytes: 0 } },
      },
    ],
    [lifecycle, { type: 'failed', ...event, reason: 'no' }],
    [
      subjects.heartbeat(id),
      { run: 'another', version: '1', protocol: protocolVersion, host: 'h', tasks: [taskId], memory: 1 },
    ],
    [subjects.startTask(id), { taskId, run, protocol: protocolVersion }],
    [subjects.pending(id), { ...page, after: '' }],
    [subjects.files(id), { ...page, after: 0 }],
    [subjects.outcomes(id), { ...page, outcomes: [{ file: 1, state: 'done' }] }],
    [subjects.copies(id), { ...page, ranges: [{ path: '/a', start: 0, length: 1 }] }],
    [subjects.ended(id), { ...page, outcome: 'done' }],
    [subjects.follow(id), { run, statuses: [{ volumeId, state: 'LIVE', reason: null, since: event.at, behindMs: 5 }] }],
    [subjects.lifecycle(1, scan.id), { type: 'failed', ...event, reason: 'of another agent' }],
  ]
}

function blockOf(random: Random, agent: Agent, scan: Scan): Message {
  const writer = newBlockWriter(owners)
  addSome(random, writer)
  const whole = Buffer.from(writer.encode())
  const packed = zstdCompressSync(random.chance(0.7) ? damage(random, whole) : whole)
  const data = random.chance(0.1) ? damaged(random, packed) : packed
  const [subject, fields] = random.chance(0.3) ? flushOf(random, agent) : batchOf(random, agent, scan)
  const written = headers()
  const odd = random.chance(0.1) ? random.below(fields.length) : -1
  for (const [i, [name, value]] of fields.entries())
    written.set(name, i === odd ? random.pick(['', '-1', '9'.repeat(30), 'é']) : value)
  return { subject, data, headers: written, text: Buffer.from(data).toString('base64').slice(0, 2_000) }
}

type Headed = [subject: string, headers: [name: string, value: string][]]

function batchOf(random: Random, { id, run }: Agent, scan: Scan): Headed {
  const batch = 1 + random.below(10_000)
  const fields: Headed[1] = [
    ['Nats-Msg-Id', batchMessageId(scan.id, scan.attempt, batch)],
    [batchHeaders.run, run],
    [batchHeaders.attempt, String(scan.attempt)],
    [batchHeaders.batch, String(batch)],
  ]
  return [subjects.entries(id, scan.id), fields]
}

/** Of a storage that isn't live, so that no block of it is stored. */
function flushOf(random: Random, { id, volumeId }: Agent): Headed {
  const { volume, session, number, part, last } = flushHeaders
  const fields: Headed[1] = [
    [volume, String(volumeId)],
    [session, randomUUID()],
    [number, String(1 + random.below(3))],
    [part, String(1 + random.below(3))],
    [last, String(random.chance(0.5))],
  ]
  return [subjects.flush(id), fields]
}

/** Starts an agent with its own key and storage, which the server accepts. */
async function openAgent({ product, data, folder }: Target) {
  const added = NewAgent.parse((await product.call('POST', '/servers', { name: `hostile ${randomUUID()}` })).answer)
  const { db, close } = await openDatabase(data)
  const nats = await openNats(added.natsUrl, { seed: added.seed, inboxPrefix: `_INBOX_agent-${added.id}` })
  void (async () => {
    // Denied subjects are reported here.
    for await (const _ of nats.connection.status());
  })()
  const run = randomUUID()
  const machine = { id: run, boot: run, pid: process.pid }
  let current: Scan | undefined
  const beat = () => {
    const heartbeat = { run, version: '1', protocol: protocolVersion, host: 'hostile', memory: 1, machine }
    const tasks = current ? [current.taskId] : []
    return nats.connection.request(subjects.heartbeat(added.id), JSON.stringify({ ...heartbeat, tasks }), {
      timeout: 3_000,
    })
  }
  const beating = setInterval(() => void beat().catch(() => {}), 3_000)
  const isAccepted = await eventually(async () => (await beat()).string().includes('accepted'), 30_000)
  if (!isAccepted) throw new Error('The server does not accept the hostile agent')
  const volumeId = await product.addStorage({ name: `hostile ${added.id}`, path: folder, server: { id: added.id } })
  const agent: Agent = {
    id: added.id,
    run,
    volumeId,
    nats,
    db,
    scan: async () =>
      (current = await runningScan({ product, db, volumeId }, (taskId) =>
        startTask(nats, { id: added.id, run, taskId }),
      )),
  }
  return {
    agent,
    async close() {
      clearInterval(beating)
      await nats.close()
      await close()
    },
  }
}

const startTask = (nats: Nats, { id, run, taskId }: { id: number; run: string; taskId: number }) =>
  nats.connection.request(subjects.startTask(id), JSON.stringify({ taskId, run, protocol: protocolVersion }), {
    timeout: 30_000,
  })

type Scanned = { product: Target['product']; db: Db; volumeId: number }

/** The running scan of the hostile storage; starts another one if the last has ended. */
async function runningScan(
  { product, db, volumeId }: Scanned,
  start: (taskId: number) => Promise<unknown>,
): Promise<Scan> {
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(200)) {
    const scan = await db
      .selectFrom('scans')
      .select(['id', 'taskId', 'attempt', 'state'])
      .where('volumeId', '=', volumeId)
      .where('state', 'in', ['waiting', 'running'])
      .executeTakeFirst()
    if (scan?.state === 'running') return scan
    if (scan) await start(scan.taskId)
    else await product.call('POST', '/v1/scans/volumes/ids', [volumeId])
  }
  throw new Error('The scan of the hostile agent could not be started')
}
