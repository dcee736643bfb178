import { sql } from 'kysely'
import type { OwnerAnswers } from '#events/policies/ownerFiles.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

type Counts = { kept: number; released: number }

/** Files with each answer: those of their own, and those that the answer to all files gives to the others. */
const counts = sql`
  policy_owner_links LEFT JOIN LATERAL (
    SELECT count(*) FILTER (WHERE answer = 'keep') AS keep, count(*) FILTER (WHERE answer = 'release') AS release
    FROM policy_answers WHERE link_id = id
  ) AS own ON true`
const kept = sql`(keep + CASE WHEN answer_to_all = 'keep' THEN files - keep - release ELSE 0 END)`
const released = sql`(release + CASE WHEN answer_to_all = 'release' THEN files - keep - release ELSE 0 END)`

/** Numbers of files of a link that its owner keeps and releases. */
export async function countAnswers(db: Db, linkId: number): Promise<Counts> {
  const { rows } = await sql<Counts>`
    SELECT ${kept}::float8 AS kept, ${released}::float8 AS released FROM ${counts} WHERE id = ${linkId}`.execute(db)
  return rows[0] ?? { kept: 0, released: 0 }
}

/** The end of the links of a run; null without any. */
export async function endOfLinks(db: Db, runId: number): Promise<Date | null> {
  const links = db.selectFrom('policyOwnerLinks').where('runId', '=', runId)
  const { end } = await links.select(({ fn }) => fn.max('expiresAt').as('end')).executeTakeFirstOrThrow()
  return end
}

/** Answers of the owners who got an email of a run; zeros without any. */
export async function answersOf(db: Db, runId: number): Promise<OwnerAnswers> {
  const { rows } = await sql<Counts & { asked: number; owners: number; names: string[] | null }>`
    SELECT count(address)::float8 AS asked, coalesce(sum(${kept}), 0)::float8 AS kept,
      coalesce(sum(${released}), 0)::float8 AS released, count(*) FILTER (WHERE address IS NULL)::float8 AS owners,
      (array_agg(coalesce(nullif(owner, ''), 'unknown owner') ORDER BY files DESC, owner) FILTER (WHERE address IS NULL))[1:100] AS names
    FROM ${counts} WHERE run_id = ${runId}`.execute(db)
  const { asked = 0, kept: keptFiles = 0, released: releasedFiles = 0, owners = 0, names = null } = rows[0] ?? {}
  return { asked, kept: keptFiles, released: releasedFiles, withoutAddress: { owners, names: names ?? [] } }
}
