import { sql } from 'kysely'
import type { z } from 'zod'
import type { OwnerAnswer, ownerFiles } from '#events/policies/ownerFiles.ts'
import { streamNames } from '#events/streams.ts'
import { checkCounted, networkOf } from '#server/platform/callers/guessing.ts'
import { hash } from '#server/platform/callers/session.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { type Change, change } from '#server/platform/log/change.ts'
import type { Actor } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid, Problem } from '#server/platform/problem.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { pageOfSelection, withFullPaths } from '#server/questions/selections/index.ts'
import { countAnswers } from './answers.ts'

type Page = z.output<(typeof ownerFiles.list)['query']>
type Files = z.output<(typeof ownerFiles.list)['answer']>

/** A page of the files behind a link. Throws 404 as `findLink` does. */
export async function listOwnerFiles(
  { db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>,
  token: string,
  { size, after }: Page,
  by: Pick<Caller, 'address'>,
): Promise<Files> {
  const link = await findLink(db, token, by)
  const { id, owner, policy, files, bytes, expiresAt, selectionId, firstPosition, answerToAll } = link
  const wanted = Math.min(size, files - after)
  const start = firstPosition - 1
  const page = { size: wanted, after: start + after }
  const { rows } = wanted > 0 ? await pageOfSelection(clickhouse, selectionId, page) : { rows: [] }
  const answers = await db
    .selectFrom('policyAnswers')
    .select(['position', 'answer'])
    .where('linkId', '=', id)
    .where('position', '>', after)
    .where('position', '<=', after + wanted)
    .execute()
  const answerTo = new Map(answers.map(({ position, answer }) => [position, answer]))
  return {
    owner,
    policy,
    until: expiresAt.toISOString(),
    files,
    bytes,
    ...(await countAnswers(db, id)),
    rows: (await withFullPaths(db, rows)).map((row) => ({
      position: row.position - start,
      path: row.fullPath,
      size: row.size,
      modified: new Date(row.modified * 1_000).toISOString(),
      answer: answerTo.get(row.position - start) ?? answerToAll,
    })),
    cursor: wanted > 0 && after + wanted < files ? after + wanted : null,
  }
}

type AnswerDraft = { answer: OwnerAnswer; positions: number[] | null }

/** Maximum positions in an event, which also has the number of files. */
const recordedPositions = 100

/**
 * Stores an owner's answer, which becomes tags in the background. Throws 404 as `findLink` does, 400 for other positions, and 429 for too many
 * answers.
 */
export async function answerOwnerFiles(
  platform: Pick<Platform, 'db' | 'live'>,
  token: string,
  given: AnswerDraft,
  { address }: Pick<Caller, 'address'>,
): Promise<void> {
  const { id, owner } = await findLink(platform.db, token, { address })
  const by: Actor = { kind: 'stranger', name: `owner ${owner}`, address }
  await change(platform, by, ['policies'], async ({ trx, recordFact }: Change) => {
    const link = await trx
      .selectFrom('policyOwnerLinks')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!link) throw noLink()
    if (given.positions?.some((position) => position > link.files)) invalid('positions', 'must be in the list')
    await checkPace(trx, id, given)
    const changed = await (given.positions === null ? answerAll(trx, link, given) : answerSome(trx, link, given))
    if (!changed) return
    const { runId, policyId } = link
    const some = changed === 'all' ? null : changed
    const counts = { files: some?.length ?? link.files, positions: some && some.slice(0, recordedPositions) }
    const fact = { runId, owner, answer: given.answer, ...counts }
    await recordFact(streamNames.policy(policyId), { type: 'OwnerAnswered', ...fact })
  })
}

type Trx = Change['trx']

/** Seconds of answers that a link may give at once: 240 answers to single files, or 20 to all of them, which are tagged one after another. */
const paceSeconds = 1_200

/** Throws 429 for a link whose answers come faster, for long, than one each 5 seconds; those to all files count for a minute. */
async function checkPace(trx: Trx, linkId: number, { positions }: AnswerDraft): Promise<void> {
  const seconds = positions === null ? 60 : 5
  const { rows } = await sql<{ ahead: number }>`
    INSERT INTO failed_passwords AS pace (key, failures, waits_until)
    VALUES (${hash(`owner answers ${linkId}`)}, 0, clock_timestamp() + make_interval(secs => ${seconds}))
    ON CONFLICT (key) DO UPDATE SET waits_until = make_interval(secs => ${seconds})
      + CASE WHEN pace.waits_until BETWEEN clock_timestamp() AND clock_timestamp() + make_interval(secs => ${paceSeconds})
          THEN pace.waits_until ELSE clock_timestamp() END
    RETURNING extract(epoch FROM waits_until - clock_timestamp())::float8 AS ahead`.execute(trx)
  const retryAfterSeconds = Math.ceil((rows[0]?.ahead ?? 0) - paceSeconds)
  if (retryAfterSeconds > 0)
    throw new Problem(429, 'These are many answers in a short time. Wait a minute, and answer again.', {
      code: 'too-many-answers',
      retryAfterSeconds,
    })
}
type Link = Awaited<ReturnType<typeof findLink>>

async function answerAll(trx: Trx, { id, answerToAll }: Link, { answer }: AnswerDraft): Promise<'all' | undefined> {
  const replaced = await trx.deleteFrom('policyAnswers').where('linkId', '=', id).returning('answer').execute()
  if (answer === answerToAll && replaced.every((before) => before.answer === answer)) return undefined
  await trx.updateTable('policyOwnerLinks').set({ answerToAll: answer, isTagged: false }).where('id', '=', id).execute()
  return 'all'
}

/** Returns the positions whose answer changed, undefined if none did. */
async function answerSome(
  trx: Trx,
  { id, answerToAll }: Link,
  { answer, positions }: AnswerDraft,
): Promise<number[] | undefined> {
  const { rows } = await sql<{ position: number }>`
    INSERT INTO policy_answers (link_id, position, answer)
    SELECT DISTINCT ${id}::integer, given, ${answer} FROM unnest(${positions}::bigint[]) AS given
    WHERE ${answer} IS DISTINCT FROM ${answerToAll}::text
      OR EXISTS (SELECT FROM policy_answers WHERE link_id = ${id} AND position = given)
    ON CONFLICT (link_id, position) DO UPDATE SET answer = excluded.answer, is_tagged = false
      WHERE policy_answers.answer != excluded.answer
    RETURNING position`.execute(trx)
  return rows.length > 0 ? rows.map(({ position }) => position).sort((one, other) => one - other) : undefined
}

/**
 * The link with a secret that has not ended. Throws the same 404 for an unknown, an ended and a malformed secret, which a network may try only
 * so often: then 429. A valid link always works, so no one who shares the network keeps its owner out.
 */
async function findLink(db: Db, token: string, { address }: Pick<Caller, 'address'>) {
  const link = await db
    .selectFrom('policyOwnerLinks')
    .selectAll()
    .where('tokenHash', '=', hash(token))
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (link) return link
  await checkCounted(db, [{ name: `owner links from ${networkOf(address)}`, free: 100 }], () => Promise.resolve(false))
  throw noLink()
}

const noLink = () => new Problem(404, 'This link has ended, or is incomplete', { code: 'owner-link' })
