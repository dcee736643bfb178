import { sql } from 'kysely'
import type { Platform } from '#server/platform/platform.ts'
import { storeWrites, writeState } from './storeWrites.ts'

export const stores = { postgres: 'Postgres', clickhouse: 'ClickHouse', nats: 'NATS' } as const
export type Store = keyof typeof stores
type Status = { status: 'UP' } | { status: 'DOWN'; reason: string }
export type Health = Record<Store, Status>

/** Timeout for the response of a store, in milliseconds. */
const defaultTimeoutMs = 2_000

type Stores = Pick<Platform, 'db' | 'clickhouse' | 'nats'>

/**
 * Checks that every store can be read and written, for health and its problems. Takes at most twice `timeoutMs` and never throws. A write
 * is newer than 20 seconds, or under way.
 */
export async function checkStores(platform: Stores, timeoutMs = defaultTimeoutMs): Promise<Health> {
  const health = await checkReads(platform, timeoutMs)
  const connections = { postgres: platform.db, clickhouse: platform.clickhouse, nats: platform.nats }
  const written = async (store: Store): Promise<[Store, Status]> => {
    if (health[store].status === 'DOWN') return [store, health[store]]
    const state = await writeState(connections[store], () => storeWrites[store](platform), timeoutMs)
    return [store, state.isOk ? { status: 'UP' } : { status: 'DOWN', reason: state.reason }]
  }
  return Object.fromEntries(await Promise.all((Object.keys(stores) as Store[]).map(written))) as Health
}

/** Checks that every store responds. Takes at most `timeoutMs` and never throws. */
export async function checkReads({ db, clickhouse, nats }: Stores, timeoutMs = defaultTimeoutMs): Promise<Health> {
  const check = (ask: () => Promise<unknown>) => answersWithin(timeoutMs, ask)
  const [postgres, engine, messages] = await Promise.all([
    check(() => sql`SELECT 1`.execute(db)),
    check(() => clickhouse.ping()),
    check(() => nats.connection.flush()),
  ])
  return { postgres, clickhouse: engine, nats: messages }
}

export const downStores = (health: Health): string[] =>
  (Object.keys(stores) as Store[]).filter((store) => health[store].status === 'DOWN').map((store) => stores[store])

async function answersWithin(timeoutMs: number, ask: () => Promise<unknown>): Promise<Status> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), timeoutMs)))
  try {
    const answered = await Promise.race([ask().then(() => true), late])
    return answered ? { status: 'UP' } : { status: 'DOWN', reason: 'does not answer' }
  } catch {
    return { status: 'DOWN', reason: 'cannot be reached' }
  } finally {
    clearTimeout(timer)
  }
}
