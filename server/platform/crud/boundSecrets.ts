import { sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { SourceTables } from '#server/platform/postgres/sourceTables.ts'
import { anyTable } from '#server/platform/postgres/postgres.ts'
import { invalid } from '#server/platform/problem.ts'

/**
 * A stored secret is bound to its destination: a user who may change settings but doesn't know the secret can't have it
 * sent elsewhere. There are secrets next to their address, and credentials that several hosts share.
 */

/** Values that lead a secret to its destination, such as `{ url: 'https://p5.example.com' }`. */
type Destination = Readonly<Record<string, string | null | undefined>>

/** Returns whether a secret would go elsewhere. Case, spaces around and slashes at the end make no difference. */
export function isElsewhere(before: Destination, after: Destination): boolean {
  return Object.keys(after).some((name) => plain(before[name]) !== plain(after[name]))
}

const plain = (text: string | null | undefined): string => (text ?? '').trim().replace(/\/+$/, '').toLowerCase()

/** Continues the name of a secret in an error message. */
export const enterAgain = 'must be entered again, because it would go to another address'

/** Minutes after a password was entered in which it may be used for further hosts. */
const enteredMinutes = 15

/** Tables of credentials whose hosts are in the storages that use them. */
export type SharedCredentials = {
  [T in keyof SourceTables]: SourceTables[T] extends { hosts: unknown; enteredAt: unknown } ? T : never
}[keyof SourceTables]

type Use = { table: SharedCredentials; id: number; host: string }

/** The password of shared credentials was entered, and may be used for further hosts for a while. */
export async function noteEntered(trx: Trx, table: SharedCredentials, id: number): Promise<void> {
  await tableOf(trx)
    .updateTable(table)
    .set({ enteredAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** The tables have these columns in common. */
type Row = { id: number; hosts: string[]; enteredAt: Date }
const tableOf = anyTable<Row>

/**
 * Binds credentials to a host. Throws 400 at the field of the credentials, with the fault of `takeHost`. Ignores unknown
 * credentials.
 */
export async function bindToHost(trx: Trx, { field, ...use }: Use & { field: string }): Promise<void> {
  const fault = await takeHost(trx, use)
  if (fault !== undefined) invalid(field, fault)
}

/**
 * The same, but returns the fault in a sentence: a host that the credentials weren't used for, unless their password was
 * entered within the last minutes.
 */
export async function takeHost(trx: Trx, { table, id, host }: Use): Promise<string | undefined> {
  const name = plain(host)
  const known = await tableOf(trx)
    .selectFrom(table)
    .select('hosts')
    .select(
      sql<boolean>`entered_at BETWEEN now() - make_interval(mins => ${sql.lit(enteredMinutes)}) AND now()`.as(
        'isFresh',
      ),
    )
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!known || known.hosts.includes(name)) return undefined
  if (!known.isFresh) {
    const before = known.hosts.length === 0 ? '' : ` They are for ${known.hosts.join(', ')}.`
    return `Enter the password of these credentials again before you use them for ${host}.${before}`
  }
  await tableOf(trx)
    .updateTable(table)
    .set({ hosts: [...known.hosts, name] })
    .where('id', '=', id)
    .execute()
  return undefined
}
