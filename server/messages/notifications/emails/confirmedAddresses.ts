import { sql } from 'kysely'
import { domainsIn } from '#events/notifications/addresses.ts'
import { may } from '#events/contract/needs.ts'
import { configured } from '#server/access/configurations/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { NotSent } from '#server/platform/mail/notSent.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** Reasons that concern an address, not the mail server. */
export const ownNotConfirmed = 'Your email address is not confirmed. Confirm it in your profile'
export const otherNotConfirmed = 'The address is not confirmed'

/** Throws `NotSent` if a recipient's address receives no emails. */
export async function checkRecipient(db: Db, address: string): Promise<void> {
  if (!(await receives(db, address))) throw new NotSent(otherNotConfirmed, { permanent: true })
}

type Own = { email: string; confirmedEmail: string | null }

/** Same for the address of a user, who has to confirm it even if another user did. */
export async function checkOwn(db: Db, own: Own): Promise<void> {
  if (!(await receivesOwn(db, own))) throw new NotSent(ownNotConfirmed, { permanent: true })
}

/** Returns those of the addresses that receive no emails yet. A user's own address is the one of the profile. */
export async function unconfirmed(db: Db, userId: number, addresses: readonly string[]): Promise<string[]> {
  const user = await db
    .selectFrom('users')
    .select(['email', 'confirmedEmail'])
    .where('id', '=', userId)
    .executeTakeFirst()
  const stateOf = (address: string) =>
    user?.email !== null && user?.email === address
      ? receivesOwn(db, { email: address, confirmedEmail: user.confirmedEmail })
      : receives(db, address)
  const states = await Promise.all(addresses.map(stateOf))
  return addresses.filter((_, i) => !states[i])
}

const receivesOwn = async (db: Db, { email, confirmedEmail }: Own): Promise<boolean> =>
  email === confirmedEmail || isOfDomain(db, email)

async function receives(db: Db, address: string): Promise<boolean> {
  const row = db.selectFrom('confirmedAddresses').select('address').where('address', '=', lower(address))
  return (await row.executeTakeFirst()) !== undefined || isOfDomain(db, address)
}

async function isOfDomain(db: Db, address: string): Promise<boolean> {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return domainsIn(await configured(db, 'allowedMailDomains')).includes(domain)
}

const lower = (address: string) => sql<string>`lower(${address})`

/** From now on emails go to these addresses. */
export async function confirmAddresses(trx: Trx, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return
  await trx
    .insertInto('confirmedAddresses')
    .values(addresses.map((address) => ({ address: lower(address) })))
    .onConflict((on) => on.column('address').doNothing())
    .execute()
}

/** Confirms addresses that an administrator adds to recipients; those of other users need a code. */
export async function acceptAdded(
  trx: Trx,
  { roles }: Pick<Caller, 'roles'>,
  addresses: readonly string[],
  before: readonly string[] = [],
): Promise<void> {
  if (!may(roles, 'settings.edit')) return
  await confirmAddresses(
    trx,
    addresses.filter((address) => !before.includes(address)),
  )
}
