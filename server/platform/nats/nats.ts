import { setTimeout as pause } from 'node:timers/promises'
import {
  AckPolicy,
  connect,
  type ConnectionOptions,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  nanos,
  type NatsConnection,
  nkeyAuthenticator,
  ReplayPolicy,
  RetentionPolicy,
  StorageType,
  type TlsOptions,
} from 'nats'
import { type AgentTaskType, agentTaskTypes } from '#events/jobs/types.ts'
import { natsTls } from '#events/node/natsTls.ts'
import { consumers, streams, subjects } from '#events/subjects.ts'

/** The connection to NATS, with JetStream's client and manager. */
export type Nats = {
  connection: NatsConnection
  js: JetStreamClient
  jsm: JetStreamManager
  close(): Promise<void>
}

/** `seed` is that of an nkey. */
type NatsOptions = { name?: string; seed?: string | undefined; inboxPrefix?: string }

/**
 * Connects to `url` and reconnects forever when the connection is lost. Throws at once if the connection or sign-in is
 * refused, and after some attempts without a response.
 */
export async function openNats(url: string, { name, seed, inboxPrefix }: NatsOptions = {}): Promise<Nats> {
  const tls = natsTls(url)
  const options: ConnectionOptions = {
    servers: url,
    ...(tls && { tls: tls as TlsOptions }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // A connection attempt while nats-server reloads its configuration is never answered.
    timeout: 3_000,
    pingInterval: 10_000,
    ...(name && { name }),
    ...(inboxPrefix && { inboxPrefix }),
    ...(seed && { authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)) }),
  }
  const connection = await answered(() => connect(options))
  return {
    connection,
    js: connection.jetstream(),
    jsm: await connection.jetstreamManager({ checkAPI: false, timeout: 3_000 }),
    async close() {
      await connection.drain().catch(() => connection.close())
    },
  }
}

/** Bytes and milliseconds of the streams. */
type StreamLimits = { scanBytes?: number; duplicateWindowMs?: number }

/** Creates or updates the streams and the consumers that the server's replicas share. */
export async function ensureStreams(nats: Nats, limits: StreamLimits = {}): Promise<void> {
  const { scanBytes = 512 * 1024 * 1024, duplicateWindowMs = 10 * 60_000 } = limits
  const ours = {
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    duplicate_window: nanos(duplicateWindowMs),
  }
  // Messages that no consumer takes would stay forever and fill the shared space of all agents.
  const consumed = [subjects.allEntries, subjects.allLifecycle]
  await ensureStream(nats, { ...ours, name: streams.scans, subjects: consumed, max_bytes: scanBytes })
  await ensureStream(nats, { ...ours, name: streams.tasks, subjects: [subjects.allTasks] })
  await ensureConsumer(nats, streams.scans, consumers.entries, {
    filter_subject: subjects.allEntries,
    ack_wait: nanos(15_000),
    max_ack_pending: 64,
  })
  await ensureConsumer(nats, streams.scans, consumers.lifecycle, {
    filter_subject: subjects.allLifecycle,
    ack_wait: nanos(15_000),
    max_ack_pending: 1_000,
  })
}

/** Creates the consumers of an agent's tasks: a notice that is not acknowledged within 10 s is redelivered. */
export async function taskConsumers(nats: Nats, agentId: number): Promise<void> {
  for (const type of agentTaskTypes)
    await ensureConsumer(nats, streams.tasks, consumers.tasks(agentId, type), {
      filter_subject: subjects.tasks(agentId, type),
      ack_wait: nanos(10_000),
      max_ack_pending: 100,
    })
}

/** Removes the queues of a deleted agent and the tasks waiting in them. */
export async function removeTaskConsumers(nats: Nats, agentId: number): Promise<void> {
  for (const type of agentTaskTypes) {
    await removeTaskConsumer(nats, agentId, type)
    await answered(() => nats.jsm.streams.purge(streams.tasks, { filter: subjects.tasks(agentId, type) }))
  }
}

/** Redelivers to a restarting agent what its previous run had received and not finished. */
export async function redeliverTasks(nats: Nats, agentId: number): Promise<void> {
  for (const type of agentTaskTypes) await removeTaskConsumer(nats, agentId, type)
  await taskConsumers(nats, agentId)
}

const removeTaskConsumer = ({ jsm }: Nats, agentId: number, type: AgentTaskType) =>
  answered(() => jsm.consumers.delete(streams.tasks, consumers.tasks(agentId, type))).catch(absent)

type StreamConfig = Parameters<JetStreamManager['streams']['add']>[0] & { name: string }

async function ensureStream({ jsm }: Nats, config: StreamConfig): Promise<void> {
  let known = await answered(() => jsm.streams.info(config.name)).catch(absent)
  // A queue of an earlier version, with other subjects. Tasks that still wait are queued again, see `startRequeue`.
  if (config.name === streams.tasks && known && known.config.subjects.join() !== config.subjects?.join()) {
    await answered(() => jsm.streams.delete(config.name))
    known = undefined
  }
  await answered(() => (known ? jsm.streams.update(config.name, config) : jsm.streams.add(config)))
}

type ConsumerLimits = { filter_subject: string; ack_wait: number; max_ack_pending: number }

async function ensureConsumer({ jsm }: Nats, stream: string, name: string, limits: ConsumerLimits): Promise<void> {
  const known = await answered(() => jsm.consumers.info(stream, name)).catch(absent)
  if (known) return void (await answered(() => jsm.consumers.update(stream, name, limits)))
  const consumer = {
    durable_name: name,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    replay_policy: ReplayPolicy.Instant,
    max_deliver: -1,
    ...limits,
  }
  await answered(() => jsm.consumers.add(stream, consumer))
}

/**
 * JetStream answers 503 for a moment after nats-server started listening. While it reloads its configuration it answers
 * that or nothing, not even to new connections.
 */
const notReady = ['503', 'TIMEOUT', 'CONNECTION_TIMEOUT']
const readyWithinMs = 15_000

/** Retries until nats-server is ready. `ask` may run more than once. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + readyWithinMs; ; await pause(50)) {
    try {
      return await ask()
    } catch (error) {
      if (!notReady.includes((error as { code?: string }).code ?? '') || Date.now() > end) throw error
    }
  }
}

const notFound = '404'

function absent(error: { code?: string }): undefined {
  if (error.code !== notFound) throw error
}
