import { isLoopback } from '#events/node/loopback.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** An origin at which signed-in browsers arrived although the product's is another one. */
export type SeenOrigin = { origin: string; expected: string; isRefused: boolean }

/** Milliseconds until an origin is written again, and after which it no longer counts. */
const writeEveryMs = 60_000
const countsForMs = 3_600_000
const maxOrigins = 20

const written = new WeakMap<Db, Map<string, number>>()

/** Records the origin of a signed-in browser's page that differs from the product's. This machine's own doesn't count. */
export async function recordOrigin(db: Db, { origin, expected, isRefused }: SeenOrigin): Promise<void> {
  if (isLoopback(new URL(origin).hostname)) return
  const recent = written.get(db) ?? new Map<string, number>()
  written.set(db, recent)
  const now = performance.now()
  const key = `${origin} ${expected}`
  const last = recent.get(key)
  if (last !== undefined && now - last < writeEveryMs) return
  if (recent.size > 10 * maxOrigins) recent.clear()
  recent.set(key, now)
  const seenAt = new Date()
  await db
    .insertInto('seenOrigins')
    .values({ origin, expected, isRefused, seenAt })
    .onConflict((on) => on.column('origin').doUpdateSet({ expected, isRefused, seenAt }))
    .execute()
}

/** Origins of the last hour that differ from the product's. */
export const readSeenOrigins = (db: Db): Promise<SeenOrigin[]> =>
  db
    .selectFrom('seenOrigins')
    .select(['origin', 'expected', 'isRefused'])
    .where('seenAt', '>', new Date(Date.now() - countsForMs))
    .orderBy('origin')
    .limit(maxOrigins)
    .execute()
