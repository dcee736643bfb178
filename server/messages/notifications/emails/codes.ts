import { counted } from '#events/contract/counted.ts'
import { randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { productName } from '#server/platform/config.ts'
import { hash } from '#server/platform/callers/session.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { sendMail } from '#server/platform/mail/mail.ts'
import type { Platform } from '#server/platform/platform.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { invalid, Problem } from '#server/platform/problem.ts'
import { emailServer } from './emailServer.ts'
import { confirmAddresses } from './confirmedAddresses.ts'

/** Codes in an hour: for one address, from all users together, and of one user for any addresses. */
const maxOfAddress = 3
const maxOfUser = 10
/** Wrong codes after which a new one is needed. */
const maxFailures = 5
/** The same code is valid for an hour. */
const validSeconds = 3_600

type Deps = Pick<Platform, 'db' | 'config'>

/** Sends a code to an address. Throws 429 after too many, and 409 with the reason if it can't be sent. */
export async function sendCode(deps: Deps, { id, name }: Pick<Caller, 'id' | 'name'>, given: string): Promise<void> {
  const address = given.toLowerCase()
  const server = await emailServer(deps)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  // Counted before it is sent: of concurrent requests each counts the others.
  await inTransaction(deps.db, async (trx) => {
    await sql`LOCK TABLE address_codes IN SHARE ROW EXCLUSIVE MODE`.execute(trx)
    await trx.deleteFrom('addressCodes').where('sentAt', '<', secondsAgo(validSeconds)).execute()
    const recent = await trx
      .selectFrom('addressCodes')
      .select(['userId', 'address', sql<number>`extract(epoch FROM now() - sent_at)`.as('age')])
      .where(({ or, eb }) => or([eb('address', '=', address), eb('userId', '=', id)]))
      .orderBy('sentAt')
      .execute()
    const ofAddress = recent.filter((one) => one.address === address)
    const ofUser = recent.filter((one) => one.userId === id)
    const oldest = [
      ...(ofAddress.length >= maxOfAddress ? [ofAddress[0]] : []),
      ...(ofUser.length >= maxOfUser ? [ofUser[0]] : []),
    ].map((one) => Number(one?.age ?? 0))
    if (oldest.length > 0) throw tooManyCodes(validSeconds - Math.min(...oldest))
    await trx
      .insertInto('addressCodes')
      .values({ userId: id, address, codeHash: hash(code) })
      .execute()
  })
  await sendMail(server, {
    to: given,
    subject: `${code} is your code for ${productName}`,
    text: `Hello,\n\n${name} wants ${productName} to send emails to this address. To allow that, enter this code in ${productName}, or give it to ${name}:\n\n${code}\n\nThe code is valid for an hour. If you don't expect this, ignore this email: you won't receive others.\n`,
  })
}

function tooManyCodes(seconds: number): Problem {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return new Problem(429, `Too many codes were sent. Try again in ${counted(minutes, 'minute')}.`, {
    code: 'too-many-codes',
    retryAfterSeconds: minutes * 60,
  })
}

/**
 * Confirms an address with the newest code that was sent to it for the caller. Throws 400 at `code` for a wrong one, which
 * counts.
 */
export async function confirmWithCode(
  { db }: Deps,
  { id }: Pick<Caller, 'id'>,
  given: string,
  code: string,
): Promise<void> {
  const address = given.toLowerCase()
  const isRight = await inTransaction(db, async (trx) => {
    const sent = await trx
      .selectFrom('addressCodes')
      .select(['id', 'codeHash', 'failures'])
      .where('userId', '=', id)
      .where('address', '=', address)
      .where('sentAt', '>', secondsAgo(validSeconds))
      .orderBy('id', 'desc')
      .limit(1)
      .forUpdate()
      .executeTakeFirst()
    if (!sent || sent.failures >= maxFailures) return false
    if (!timingSafeEqual(Buffer.from(hash(code)), Buffer.from(sent.codeHash))) {
      await trx
        .updateTable('addressCodes')
        .set({ failures: sent.failures + 1 })
        .where('id', '=', sent.id)
        .execute()
      return false
    }
    // It is used up, but still counts as sent.
    await trx.updateTable('addressCodes').set({ failures: maxFailures }).where('id', '=', sent.id).execute()
    await confirmAddresses(trx, [address])
    await trx
      .updateTable('users')
      .set(({ ref }) => ({ confirmedEmail: ref('email') }))
      .where('id', '=', id)
      .where(sql`lower(email)`, '=', address)
      .execute()
    return true
  })
  if (!isRight) invalid('code', 'is wrong or no longer valid. Check it, or send a new one')
}

const secondsAgo = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`
