import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { streamNames } from '#events/streams.ts'
import { type Counter, checkCounted } from '#server/platform/callers/guessing.ts'
import { hasFactor } from '#server/platform/callers/session.ts'
import { record } from '#server/platform/log/audit.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { openSecret } from '#server/platform/secrets.ts'
import { isOneTimeCode, stepOfCode } from './oneTimeCode.ts'
import { useRecoveryCode } from './recoveryCodes.ts'

/** Place of a user's secret among the encrypted ones. */
export const placeOf = (userId: number) => ({ name: `secondFactor.${userId}`, called: 'The second factor' })

/** The fault of a code that is not accepted. */
export const wrongCode = 'is wrong or was used already. Wait for the next one.'

/** True if the user has a second factor that is on. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const user = await db.selectFrom('users').select(hasFactor.as('isOn')).where('id', '=', userId).executeTakeFirst()
  return user?.isOn === true
}

/**
 * Checks a code of a user's app, or a recovery code, which is used up. Each is accepted once. Wrong ones count; throws 429
 * while one of the counters has to wait, and 409 if the secret was stored with another key.
 */
export const checkCode = (
  platform: Pick<Platform, 'db' | 'config'>,
  user: { id: number; name: string; address: string },
  code: string,
  counters: readonly Counter[],
): Promise<boolean> =>
  checkCounted(platform.db, counters, () =>
    isOneTimeCode(code) ? useOneTimeCode(platform, user.id, code) : useAndRecord(platform.db, user, code),
  )

async function useOneTimeCode({ db, config }: Pick<Platform, 'db' | 'config'>, userId: number, code: string) {
  const factor = await db
    .selectFrom('secondFactors')
    .select('secret')
    .where('userId', '=', userId)
    .where('since', 'is not', null)
    .executeTakeFirst()
  const step = factor && stepOfCode(await openSecret(config, placeOf(userId), factor.secret), code)
  if (step === undefined) return false
  const accepted = await db
    .updateTable('secondFactors')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .returning('userId')
    .executeTakeFirst()
  return accepted !== undefined
}

const useAndRecord = (db: Db, user: { id: number; name: string; address: string }, code: string): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const isRight = await useRecoveryCode(trx, user.id, code)
    if (isRight) await record(trx, streamNames.user(user.id), user, { type: 'RecoveryCodeUsed' })
    return isRight
  })
