import { streamNames } from '#events/streams.ts'
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { NewWallToken, WallOptions, WallTokenDraft } from '#events/wall.ts'
import { limitsOf, setLimits } from '#server/access/limits/index.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import { hash } from '#server/platform/callers/session.ts'
import { closeWallSession, openWallSession } from '#server/platform/callers/wallSession.ts'
import { record } from '#server/platform/log/audit.ts'
import type { Change } from '#server/platform/log/change.ts'
import { notFound, Problem } from '#server/platform/problem.ts'
import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

type WallDraft = z.output<typeof WallTokenDraft>

/** Creates a token. Only the response contains it: the table has a hash. Throws 400 for a duplicate name. */
export async function createToken(change: Change, { limits, ...draft }: WallDraft): Promise<NewWallToken> {
  const { trx, by, record } = change
  await checkUnique(trx.selectFrom('wallTokens'), { value: draft.name })
  const token = randomBytes(32).toString('base64url')
  const row = { ...draft, tokenHash: hash(token), createdBy: by.name }
  const { id } = await trx.insertInto('wallTokens').values(row).returning('id').executeTakeFirstOrThrow()
  await record(streamNames.wall(id), { after: draft })
  if (limits && !limits.everything) await setLimits(change, { wallId: id, name: draft.name }, limits, ['limits'])
  return { id, name: draft.name, token }
}

/** Changes name and options of a display. Throws 400 for a duplicate name, 404 for an unknown display. */
export async function changeWall(change: Change, id: number, { limits, ...draft }: WallDraft): Promise<void> {
  const { trx, record } = change
  const before = await trx
    .selectFrom('wallTokens')
    .select(['name', 'frameAncestors', 'boards', 'every', 'scheme'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return notFound('wall display', id)
  await checkUnique(trx.selectFrom('wallTokens'), { value: draft.name, own: id })
  await trx.updateTable('wallTokens').set(draft).where('id', '=', id).execute()
  await record(streamNames.wall(id), { before, after: draft })
  if (limits) await setLimits(change, { wallId: id, name: draft.name }, limits, ['limits'])
}

/** Options of the display of a session; undefined for an unknown session. */
export const findOptions = (db: Db, sessionId: string): Promise<(WallOptions & { wallId: number }) | undefined> =>
  db
    .selectFrom('wallSessions')
    .innerJoin('wallTokens', 'wallTokens.id', 'wallSessions.tokenId')
    .select(['boards', 'every', 'scheme', 'tokenId as wallId'])
    .where('idHash', '=', hash(sessionId))
    .executeTakeFirst()

/** Ends a token and the sessions of its displays: their sockets close at the next heartbeat. */
export async function endToken({ trx, record }: Change, id: number): Promise<void> {
  const ended = await trx.deleteFrom('wallTokens').where('id', '=', id).returning('name').executeTakeFirst()
  if (!ended) return notFound('wall display', id)
  await record(streamNames.wall(id), { before: ended })
}

/** Starts the session of a display and ends its previous one. Throws 401 for an unknown or ended token. */
export async function signInWall(
  { trx }: Change,
  { token, address, old }: { token: string; address: string; old: string | undefined },
): Promise<{ sessionId: string; name: string; frameAncestors: string }> {
  const wall = await trx
    .selectFrom('wallTokens')
    .select(['id', 'name', 'frameAncestors'])
    .where('tokenHash', '=', hash(token))
    .forShare()
    .executeTakeFirst()
  if (!wall) throw new Problem(401, 'This wall display was revoked, or its address is incomplete', { code: 'wall' })
  if (old) await closeWallSession(trx, old)
  const sessionId = await openWallSession(trx, wall.id)
  // Only the token identifies the display.
  await record(
    trx,
    streamNames.wall(wall.id),
    { kind: 'wall', id: wall.id, name: `wall ${wall.name}`, address },
    { type: 'SignedIn' },
  )
  return { sessionId, name: wall.name, frameAncestors: wall.frameAncestors }
}

/** Origins of pages that may frame the display of a session; none for an unknown session. */
export async function framesOfSession(db: Db, sessionId: string | undefined): Promise<string> {
  if (!sessionId) return ''
  const found = await db
    .selectFrom('wallSessions')
    .innerJoin('wallTokens', 'wallTokens.id', 'wallSessions.tokenId')
    .select('wallTokens.frameAncestors')
    .where('idHash', '=', hash(sessionId))
    .executeTakeFirst()
  return found?.frameAncestors ?? ''
}

const sortable = { name: textOrder('wallTokens.name'), createdAt: sql`wall_tokens.created_at` }

/** A page of the tokens that have not ended, with the number of displays of each; by name by default. */
export const listTokens = (db: Db, query: PageQuery) =>
  listPage(
    db,
    db
      .selectFrom('wallTokens')
      .leftJoin('wallSessions', 'wallSessions.tokenId', 'wallTokens.id')
      .select(['wallTokens.id', 'wallTokens.name', 'wallTokens.createdBy', 'wallTokens.createdAt'])
      .select(['wallTokens.frameAncestors', 'wallTokens.boards', 'wallTokens.every', 'wallTokens.scheme'])
      .select(limitsOf(sql`limits.wall_id = wall_tokens.id`).as('limits'))
      .select(({ fn }) => [
        fn.count<number>('wallSessions.idHash').as('displays'),
        fn.max('wallSessions.lastSeenAt').as('lastSeenAt'),
      ])
      .groupBy('wallTokens.id'),
    query,
    { sortable, sort: 'name', tie: 'wallTokens.id' },
    ({ createdAt, lastSeenAt, limits, ...token }) => ({
      ...token,
      ...(limits && { limits }),
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt?.toISOString() ?? null,
    }),
  )
