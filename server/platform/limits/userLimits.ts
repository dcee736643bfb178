import { counted } from '#events/contract/counted.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { type UserLimit, userLimits as limits } from '#events/users/userLimits.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'

export type UserLimits = Readonly<Record<UserLimit, number>>

const names = Object.keys(limits) as UserLimit[]
const defaults = Object.fromEntries(names.map((name) => [name, Number(limits[name].defaultValue)])) as UserLimits

/** The limits of the settings. */
export async function readUserLimits(db: Db | Trx): Promise<UserLimits> {
  const rows = await db.selectFrom('configurations').selectAll().where('name', 'in', names).execute()
  return { ...defaults, ...Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)])) }
}

/** Limits as last read, and the time they were read at. They are read again after `freshMs`. */
const known = new WeakMap<Db, { values: Promise<UserLimits>; readAtMs: number }>()
const freshMs = 5_000

/** Same, at most five seconds old; the defaults while Postgres doesn't answer. */
export function cachedUserLimits(db: Db): Promise<UserLimits> {
  const now = performance.now()
  const last = known.get(db)
  if (last && now - last.readAtMs < freshMs) return last.values
  const values = readUserLimits(db).catch(() => defaults)
  known.set(db, { values, readAtMs: now })
  return values
}

/** Reads the limits again at the next request, because they were changed. */
export const forgetUserLimits = (db: Db): void => void known.delete(db)

/** The user whose call is handled. `key` is the same for all calls of a user, or of a wall display. */
type User = { key: string; limits: UserLimits }
const users = new AsyncLocalStorage<User>()

/** Runs the work of a call; the platform counts what it uses as that of its user. */
export const runAsUser = <T>(user: User, work: () => Promise<T>): Promise<T> => users.run(user, work)

/** The user whose call is handled; undefined in work that no user waits for. */
export const currentUser = (): User | undefined => users.getStore()

/** The response to a user above a limit, with the time to wait. `message` is a sentence without the time. */
export function aboveLimit(name: UserLimit, message: string, retryAfterSeconds: number): Problem {
  const wait =
    retryAfterSeconds < 120
      ? counted(retryAfterSeconds, 'second')
      : counted(Math.ceil(retryAfterSeconds / 60), 'minute')
  return new Problem(429, `${message} Try again in ${wait}.`, { code: `limit-${name}`, retryAfterSeconds })
}

/** The response to a user who stores more than allowed: waiting doesn't help. */
export const tooManyStored = (name: UserLimit, max: number): Problem =>
  new Problem(429, `${fullWords(name, max)} Delete some you don't need, or ask an administrator to raise the limit.`, {
    code: `limit-${name}`,
  })

function fullWords(name: UserLimit, max: number): string {
  const { one, many }: { one: string; many?: string } = limits[name]
  if (name === 'scanSchedules')
    return `There ${max === 1 ? 'is' : 'are'} already ${counted(max, one, many)}, the maximum.`
  return `You already have ${counted(max, one, many)}, the maximum.`
}
