import { StorageType } from 'nats'
import { sql } from 'kysely'
import { subjects } from '#events/subjects.ts'
import type { Platform } from '#server/platform/platform.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse' | 'nats'>

/** Milliseconds between two writes to a store, and the timeout of one. */
const intervalMs = 20_000
const timeoutMs = 10_000

/** Writes a few bytes to the disk of each store. */
export const storeWrites = {
  /** A message in the write-ahead log: its commit waits for the disk, as that of a row does, and no table grows. */
  postgres: ({ db }) => sql`SELECT pg_logical_emit_message(true, 'health', 'check'::text)`.execute(db),
  clickhouse: ({ clickhouse }) => clickhouse.writeCheck(),
  nats: ({ nats }) => writeMessage(nats),
} as const satisfies Record<string, (stores: Stores) => Promise<unknown>>

/** The stream keeps one message. It is created by the first check, also after NATS lost its data. */
async function writeMessage({ js, jsm }: Platform['nats']): Promise<void> {
  const write = () => js.publish(subjects.healthCheck, new Uint8Array(1), { timeout: timeoutMs })
  const isMissing = await write().then(
    () => false,
    (error: unknown) => (error as { code?: string }).code === noStream || Promise.reject(error),
  )
  if (!isMissing) return
  const stream = { name: 'HEALTH', subjects: [subjects.healthCheck], storage: StorageType.File, max_msgs: 1 }
  await jsm.streams.add(stream)
  await write()
}
const noStream = '503'

/** State of a store's writes: `reason` follows the name of the store. Undefined while the first write is under way. */
export type WriteState = { isOk: true } | { isOk: false; reason: string }

type Check = { startedAt: number; state: WriteState | undefined; running: Promise<void> }
const checks = new WeakMap<object, Check>()

/**
 * Result of the newest write to a store, at most one every 20 seconds. Waits for a write that is under way, up to `waitMs`; then the result
 * of the one before counts, until the write fails after 10 seconds. `store` is the connection by which results are kept.
 */
export async function writeState(store: object, write: () => Promise<unknown>, waitMs: number): Promise<WriteState> {
  const known = checks.get(store)
  const check = known && performance.now() - known.startedAt < intervalMs ? known : start(store, write, known?.state)
  await Promise.race([check.running, pause(waitMs)])
  return check.state ?? { isOk: true }
}

function start(store: object, write: () => Promise<unknown>, state: WriteState | undefined): Check {
  const check: Check = { startedAt: performance.now(), state, running: Promise.resolve() }
  check.running = attempt(write).then((result) => void (check.state = result))
  checks.set(store, check)
  return check
}

async function attempt(write: () => Promise<unknown>): Promise<WriteState> {
  try {
    const isWritten = await Promise.race([write().then(() => true), pause(timeoutMs).then(() => false)])
    return isWritten ? { isOk: true } : { isOk: false, reason: `did not write within ${timeoutMs / 1_000} seconds` }
  } catch (error) {
    return { isOk: false, reason: `cannot be written: ${reasonOf(error)}` }
  }
}

/** Timers don't keep a process that ends. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())

/** Only the kind of failure, since health is open to everyone, and messages of stores name folders. */
function reasonOf(error: unknown): string {
  const { code = '', type = '', message = '' } = error as { code?: string; type?: string; message?: string }
  return reasons.find(({ pattern }) => pattern.test(`${code} ${type} ${message}`))?.reason ?? 'the write failed'
}
const reasons = [
  // Also of Postgres (53100), ClickHouse (243) and JetStream, whose limit is the space of its disk.
  {
    pattern: /ENOSPC|53100|no space left|not.enough.space|insufficient resources|disk full/i,
    reason: 'the disk is full',
  },
  { pattern: /EROFS|read-only file ?system/i, reason: 'the disk is read-only' },
  { pattern: /25006|read-only/i, reason: 'it is read-only' },
  { pattern: /EACCES|EPERM|42501|permission denied/i, reason: 'the permission is missing' },
  { pattern: /EIO|58030|input\/output error/i, reason: 'the disk reports an error' },
]
