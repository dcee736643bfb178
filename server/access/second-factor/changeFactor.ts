import { streamNames } from '#events/streams.ts'
import type { NewSecondFactor, RecoveryCodes, SecondFactor } from '#events/users/secondFactor.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { endSessions, isSecondFactorRequired } from '#server/platform/callers/session.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { conflict, invalid } from '#server/platform/problem.ts'
import { openSecret, sealSecret } from '#server/platform/secrets.ts'
import { lockUser } from '#server/access/users/index.ts'
import { placeOf } from './checkCode.ts'
import { addressOfSecret, makeSecret, stepOfCode } from './oneTimeCode.ts'
import { replaceRecoveryCodes } from './recoveryCodes.ts'

type Services = Pick<Platform, 'config'>

/** The caller's second factor. */
export async function showFactor(db: Db, userId: number): Promise<SecondFactor> {
  const { since, recoveryCodes, isRequired } = await db
    .selectFrom('users')
    .leftJoin('secondFactors', 'secondFactors.userId', 'users.id')
    .select(['since', isSecondFactorRequired.as('isRequired')])
    .select((of) =>
      of
        .selectFrom('recoveryCodes')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('recoveryCodes.userId', '=', 'users.id')
        .as('recoveryCodes'),
    )
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    isOn: since !== null,
    since: since?.toISOString() ?? null,
    recoveryCodes: Number(recoveryCodes ?? 0),
    isRequired,
  }
}

/** Makes a secret, which replaces one that was never turned on. Throws 409 if one is on. */
export async function beginFactor({ config }: Services, { trx, by }: Change<Caller>): Promise<NewSecondFactor> {
  const { user, isOfProvider } = await lockUser(trx, by.id)
  if (isOfProvider) conflict('The second factor of an account from single sign-on is managed there')
  const secret = makeSecret()
  const sealed = await sealSecret(config, placeOf(by.id).name, secret)
  const made = await trx
    .insertInto('secondFactors')
    .values({ userId: by.id, secret: sealed })
    .onConflict((on) => on.column('userId').doUpdateSet({ secret: sealed }).where('secondFactors.since', 'is', null))
    .returning('userId')
    .executeTakeFirst()
  if (!made) conflict('Your second factor is on already. Turn it off first.')
  return { secret, address: addressOfSecret(secret, user.name) }
}

/** Turns the second factor on with a code of the new secret, and ends the user's other sessions. */
export async function turnOnFactor(
  { config }: Services,
  { trx, by, recordFact }: Change<Caller>,
  code: string,
  session: string | undefined,
): Promise<RecoveryCodes> {
  await lockUser(trx, by.id)
  const factor = await trx
    .selectFrom('secondFactors')
    .select(['secret', 'since'])
    .where('userId', '=', by.id)
    .executeTakeFirst()
  if (!factor || factor.since) return conflict('Set up the second factor first')
  const lastStep = stepOfCode(await openSecret(config, placeOf(by.id), factor.secret), code)
  if (lastStep === undefined) invalid('code', 'is wrong. If this repeats, check the clock of the phone.')
  await trx.updateTable('secondFactors').set({ since: new Date(), lastStep }).where('userId', '=', by.id).execute()
  await endSessions(trx, { userId: by.id, except: session ?? '' }, by)
  await recordFact(streamNames.user(by.id), { type: 'SecondFactorTurnedOn' })
  return { recoveryCodes: await replaceRecoveryCodes(trx, by.id) }
}

/** Turns the caller's second factor off. Throws 409 if it is required, or not on. */
export async function turnOffFactor({ trx, by, recordFact }: Change<Caller>): Promise<void> {
  const { isRequired } = await trx
    .selectFrom('users')
    .select(isSecondFactorRequired.as('isRequired'))
    .where('id', '=', by.id)
    .executeTakeFirstOrThrow()
  if (isRequired) conflict('An administrator requires a second factor')
  if (!(await deleteFactor(trx, by.id))) conflict('Your second factor is off')
  await recordFact(streamNames.user(by.id), { type: 'SecondFactorTurnedOff' })
}

/** Replaces the caller's recovery codes. Throws 409 without a second factor. */
export async function renewCodes({ trx, by, recordFact }: Change<Caller>): Promise<RecoveryCodes> {
  await lockUser(trx, by.id)
  const { since } = (await trx
    .selectFrom('secondFactors')
    .select('since')
    .where('userId', '=', by.id)
    .executeTakeFirst()) ?? { since: null }
  if (!since) conflict('Your second factor is off')
  await recordFact(streamNames.user(by.id), { type: 'RecoveryCodesReplaced' })
  return { recoveryCodes: await replaceRecoveryCodes(trx, by.id) }
}

/** Removes the second factor of a user who lost it, and ends their sessions. Throws 404, and 409 without one. */
export async function removeFactor({ trx, by, recordFact }: Change<Caller>, userId: number): Promise<void> {
  const { user } = await lockUser(trx, userId)
  if (!(await deleteFactor(trx, userId))) conflict(`${user.name} has no second factor`)
  await endSessions(trx, { userId }, by)
  await recordFact(streamNames.user(userId), { type: 'SecondFactorRemoved' })
}

/** Deletes a user's second factor; false if it was not on. */
async function deleteFactor(trx: Trx, userId: number): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('secondFactors')
    .where('userId', '=', userId)
    .returning('since')
    .executeTakeFirst()
  return deleted !== undefined && deleted.since !== null
}
