import { randomBytes } from 'node:crypto'
import { Secret } from 'otpauth'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { hash } from '#server/platform/callers/session.ts'

const count = 10
/** Too many to guess from a copy of the database, so a plain hash is enough. */
const bytesOfCode = 10

/** Replaces a user's recovery codes and returns the new ones, in groups of four characters. */
export async function replaceRecoveryCodes(trx: Trx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: count }, makeCode)
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  await trx
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ userId, codeHash: hashOf(code) })))
    .execute()
  return codes
}

const makeCode = (): string => {
  const { base32 } = new Secret({ buffer: Uint8Array.from(randomBytes(bytesOfCode)).buffer })
  return base32.toLowerCase().match(/.{4}/g)?.join('-') ?? ''
}

const hashOf = (code: string): string => hash(code.toLowerCase().replaceAll(/[\s-]/g, ''))

/** Uses a recovery code up; false if the user has no such code. */
export async function useRecoveryCode(db: Db | Trx, userId: number, code: string): Promise<boolean> {
  const used = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', hashOf(code))
    .returning('userId')
    .executeTakeFirst()
  return used !== undefined
}
