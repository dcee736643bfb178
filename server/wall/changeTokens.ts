import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { NewWallToken, WallTokenDraft } from '#events/wall.ts'
import { recordChange } from '#server/platform/audit.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Db } from '#server/platform/postgres.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { hash } from '#server/platform/session.ts'

/** The stream of the event log that tells of a token and of the displays that came with it. */
export const streamOf = (id: number): string => `wall-${id}`

/** Makes a token. The answer is the only place where it ever is: the table keeps a hash. Throws 400 for a name that is taken. */
export async function createToken(db: Db, { name }: z.output<typeof WallTokenDraft>, by: Actor): Promise<NewWallToken> {
  const token = randomBytes(32).toString('base64url')
  const id = await db.transaction().execute(async (trx) => {
    await checkName(trx, name)
    const row = { name, tokenHash: hash(token), createdBy: by.name }
    const { id } = await trx.insertInto('wallTokens').values(row).returning('id').executeTakeFirstOrThrow()
    await recordChange(trx, streamOf(id), by, { after: { name } })
    return id
  })
  wakeFollowers()
  return { id, name, token }
}

async function checkName(trx: Trx, name: string): Promise<void> {
  const taken = await trx
    .selectFrom('wallTokens')
    .select('id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst()
  if (taken) invalid('name', `should be unique, ${name} already exists`)
}

/** Ends a token, and with it the sessions of the displays that came with it: their sockets close at the next beat. */
export async function endToken(db: Db, id: number, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const ended = await trx.deleteFrom('wallTokens').where('id', '=', id).returning('name').executeTakeFirst()
    if (!ended) return notFound('wall display', id)
    await recordChange(trx, streamOf(id), by, { before: ended })
  })
  wakeFollowers()
}
