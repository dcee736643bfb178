import { counted } from '#events/contract/counted.ts'
import { ipKeyGenerator } from 'express-rate-limit'
import { sql } from 'kysely'
import { isPassword } from '#server/platform/password.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { hash } from './session.ts'

/** A counter of failures by name, and the number of failures before waiting begins. */
export type Counter = { name: string; free: number }

const minuteMs = 60_000
/** Each failure beyond the free ones doubles the wait, up to this. */
const maxWaitMs = 60 * minuteMs
/** A counter is reset this long after its wait ended. */
const forgottenAfterMs = 60 * minuteMs

/**
 * Counters for a browser that never signed in to the account: regardless of the number of attackers, an account has at
 * most 96 failures in any hour, 90 free ones and six while the wait grows to an hour. One address alone can't use these
 * up.
 */
export function strangerCounters(account: string, address: string): Counter[] {
  const [name, from] = [account.toLowerCase(), networkOf(address)]
  return [
    { name: `account ${name}`, free: 90 },
    { name: `account ${name} from ${from}`, free: 10 },
    { name: `address ${from}`, free: 50 },
  ]
}

/** The counter of a browser that signed in to the account before; no other browser can use it up. */
export const browserCounters = (browser: string): Counter[] => [{ name: `browser ${browser}`, free: 10 }]

/** The counter of a signed-in user who confirms a password: that of the account's browsers, or of a token. */
export const ownCounters = ({ id, tokenId }: Pick<Caller, 'id' | 'tokenId'>): Counter[] => [
  { name: tokenId === null ? `signed in ${id}` : `token ${tokenId}`, free: 10 },
]

/**
 * The counter of the codes of an account's second factor: of its unknown browsers together, of a browser that signed in
 * before, or of its sessions, so that someone who only knows the password keeps none of the latter out.
 */
export const codeCounters = (of: { user: number } | { browser: string } | { signedIn: number }): Counter[] => [
  { name: `code of ${Object.entries(of).join()}`, free: 10 },
]

/** An IPv6 network counts as one address, because its owner has 2^64 of them. */
export const networkOf = (address: string): string => ipKeyGenerator(address, 64)

/**
 * Returns whether a password matches a hash. A wrong one counts; throws 429 without checking while one of the counters
 * has to wait.
 */
export const checkPassword = (
  db: Db,
  counters: readonly Counter[],
  password: string,
  passwordHash: string | null | undefined,
  now?: Date,
): Promise<boolean> => checkCounted(db, counters, () => isPassword(password, passwordHash), now)

/** The same for any check. */
export async function checkCounted(
  db: Db,
  counters: readonly Counter[],
  check: () => Promise<boolean>,
  now?: Date,
): Promise<boolean> {
  // Counted before the check: a thousand concurrent attempts get no more checks than sequential ones.
  const before = await countFailure(db, counters, now)
  const isRight = await check()
  if (isRight) await takeBack(db, before)
  else await forgetOld(db, now ?? new Date())
  return isRight
}

type Row = { key: string; failures: number; waitsUntil: Date }

/**
 * Counts a failure, unless one of the counters has to wait: then throws 429 and counts nothing. Returns the counters
 * before.
 */
export function countFailure(db: Db, counters: readonly Counter[], given?: Date): Promise<Row[]> {
  const free = new Map(counters.map((counter) => [hash(counter.name), counter.free]))
  return db.transaction().execute(async (trx) => {
    const rows = await lock(trx, [...free.keys()].sort(), given)
    // The time under the lock, of one clock for all replicas: concurrent attempts must not seem to be in the future.
    const now = given ?? (await timeOf(trx))
    const waitMs = Math.max(...rows.map((row) => waitOf(row, free.get(row.key) ?? 0, now)))
    if (waitMs > 0) throw tooMany(waitMs)
    for (const { key, failures: before, waitsUntil } of rows) {
      const isForgotten = now.getTime() - waitsUntil.getTime() > forgottenAfterMs
      const failures = (isForgotten ? 0 : before) + 1
      const until = new Date(now.getTime() + waitAfterMs(failures, free.get(key) ?? 0))
      await trx.updateTable('failedPasswords').set({ failures, waitsUntil: until }).where('key', '=', key).execute()
    }
    return rows
  })
}

/** Locks the rows of the counters in their order, creating missing ones. */
const lock = (trx: Trx, keys: string[], now?: Date): Promise<Row[]> =>
  trx
    .insertInto('failedPasswords')
    .values(keys.map((key) => ({ key, failures: 0, waitsUntil: now ?? sql<Date>`clock_timestamp()` })))
    .onConflict((on) => on.column('key').doUpdateSet(({ ref }) => ({ key: ref('excluded.key') })))
    .returningAll()
    .execute()

async function timeOf(trx: Trx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(trx)
  return rows[0]?.now ?? new Date()
}

/** A wait that is longer than possible comes from a clock that was wrong. */
function waitOf({ failures, waitsUntil }: Row, free: number, now: Date): number {
  const waitMs = waitsUntil.getTime() - now.getTime()
  return failures < free || waitMs > maxWaitMs ? 0 : waitMs
}

const waitAfterMs = (failures: number, free: number): number =>
  failures < free ? 0 : Math.min(minuteMs * 2 ** (failures - free), maxWaitMs)

async function takeBack(db: Db, before: Row[]): Promise<void> {
  for (const { key, waitsUntil } of before) {
    await db
      .updateTable('failedPasswords')
      .set(({ eb }) => ({ failures: eb('failures', '-', 1), waitsUntil }))
      .where('key', '=', key)
      .where('failures', '>', 0)
      .execute()
  }
}

/** Skips counters that are in use at this moment. */
const forgetOld = (db: Db, now: Date) =>
  db
    .deleteFrom('failedPasswords')
    .where('key', 'in', (of) =>
      of
        .selectFrom('failedPasswords')
        .select('key')
        .where('waitsUntil', '<', new Date(now.getTime() - forgottenAfterMs))
        .forUpdate()
        .skipLocked(),
    )
    .execute()

function tooMany(waitMs: number): Problem {
  const message = `Too many failed sign-ins. Try again in ${counted(Math.ceil(waitMs / minuteMs), 'minute')}`
  return new Problem(429, message, { code: 'too-many-sign-ins', retryAfterSeconds: Math.ceil(waitMs / 1_000) })
}
