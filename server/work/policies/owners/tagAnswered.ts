import { sql as postgres } from 'kysely'
import type { OwnerAnswer } from '#events/policies/ownerFiles.ts'
import { ownerTags } from '#events/policies/policies.ts'
import { inStorages } from '#server/content/entries/selectEntries.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { runOnChange } from '#server/platform/runOnChange.ts'
import { findSelection, rowsOfSelection } from '#server/questions/selections/index.ts'
import { dropStaging, newStaging, tagVolume } from '#server/work/tags/index.ts'
import { inTurn } from '#server/workers/tasks/index.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse' | 'live'>

/** Gives files the tags of their owners' answers, soon after each answer, in one server at a time. */
export function startTaggingAnswered(platform: Platform): Running {
  const { db, log } = platform
  const logged = new Set<number>()
  return runOnChange(
    platform,
    { topics: ['policies'], failed: "could not tag files by their owners' answers, will retry" },
    async (signal) => {
      await inTurn(db, 'owner tags', () => tagAnswered(platform, signal))
      const lost = (await withoutList(db)).filter(({ id }) => !logged.has(id))
      for (const { id, ...link } of lost) {
        logged.add(id)
        log.error(link, "could not tag files by their owner's answers: the list is no longer stored")
      }
    },
  )
}

/** Links whose answers can't become tags any more. */
export async function withoutList(db: Db): Promise<{ id: number; runId: number; owner: string }[]> {
  const { rows } = await postgres<{ id: number; runId: number; owner: string }>`
    SELECT id, run_id AS "runId", owner FROM policy_owner_links AS link WHERE NOT ${hasList}
      AND (answer_to_all IS NOT NULL AND NOT is_tagged OR EXISTS (SELECT FROM policy_answers WHERE link_id = link.id AND NOT is_tagged))
    ORDER BY id`.execute(db)
  return rows
}

const hasList = postgres<boolean>`EXISTS (SELECT FROM selections WHERE selections.id = selection_id)`

/** Files of a link with a new answer: all, or those at some of its positions. */
type Answered = { answer: OwnerAnswer; selectionId: number; where: Sql }

/** Maximum answers to single files that become tags at once. */
const batchSize = 1_000

/** Tags all files whose answers changed. An answer that changes meanwhile stays untagged, and is next. */
export async function tagAnswered(stores: Stores, signal?: AbortSignal): Promise<void> {
  for (let isAny = true; isAny && !signal?.aborted;)
    isAny = (await tagAnswerToAll(stores)) || (await tagSomeAnswers(stores))
}

/** Answers to all files come first: those to single files are newer. */
async function tagAnswerToAll(stores: Stores): Promise<boolean> {
  const { db } = stores
  const links = db.selectFrom('policyOwnerLinks').selectAll().where('isTagged', '=', false).where(hasList)
  const link = await links.where('answerToAll', 'is not', null).orderBy('id').limit(1).executeTakeFirst()
  if (!link?.answerToAll) return false
  const { id, answerToAll, selectionId, firstPosition, files } = link
  const where = sql`position BETWEEN ${firstPosition} AND ${firstPosition + files - 1}`
  await tagFiles(stores, { answer: answerToAll, selectionId, where })
  const done = db.updateTable('policyOwnerLinks').set({ isTagged: true }).where('id', '=', id)
  await done.where('answerToAll', '=', answerToAll).where(hasList).execute()
  return true
}

async function tagSomeAnswers(stores: Stores): Promise<boolean> {
  const { db } = stores
  const rows = await db
    .selectFrom('policyAnswers')
    .innerJoin('policyOwnerLinks', 'id', 'linkId')
    .select(['linkId', 'position', 'answer', 'selectionId', 'firstPosition'])
    .where('policyAnswers.isTagged', '=', false)
    .where(hasList)
    .orderBy('linkId')
    .orderBy('answer')
    .limit(batchSize)
    .execute()
  const [first] = rows
  if (!first) return false
  const { linkId, answer, selectionId, firstPosition } = first
  const positions = rows.filter((row) => row.linkId === linkId && row.answer === answer).map(({ position }) => position)
  const where = sql`position IN ${positions.map((position) => firstPosition - 1 + position)}`
  await tagFiles(stores, { answer, selectionId, where })
  // A list that was dropped meanwhile had no rows to tag.
  if (!(await findSelection(db, selectionId))) return true
  const done = db.updateTable('policyAnswers').set({ isTagged: true }).where('linkId', '=', linkId)
  await done.where('answer', '=', answer).where('position', 'in', positions).execute()
  return true
}

/** Adds the tag of the answer before the other one goes: after an interruption a file rather has both than none. */
async function tagFiles(stores: Stores, answered: Answered): Promise<void> {
  const { clickhouse, live } = stores
  const rows = rowsOf(answered)
  const volumes = await clickhouse.rows<{ volume: number }>(sql`SELECT DISTINCT volume FROM ${rows} ORDER BY volume`)
  const staging = await newStaging(stores, 'owners')
  const other = answered.answer === 'keep' ? 'release' : 'keep'
  for (const { volume } of volumes)
    for (const remove of [false, true]) {
      const tags = [ownerTags[remove ? other : answered.answer]]
      const select = async (snapshot: Snapshot) => ({ snapshot, ...placesNow(snapshot, volume, answered, remove) })
      await tagVolume(stores, { tags, remove, isDirectory: false, select }, volume, staging)
    }
  await dropStaging(stores, staging)
  live({ type: 'changed', topics: ['tags'] })
}

/**
 * Selects the current places of the files of an answer. Files that moved since, according to inode, size and modified time, are tagged at their new place. A file that
 * changed is no longer the one that its owner released; one that is gone is kept if it returns.
 */
function placesNow(snapshot: Snapshot, volume: number, { answer, ...answered }: Answered, remove: boolean) {
  const list = rowsOf({ selectionId: answered.selectionId, where: sql`volume = ${volume}` })
  const rows = rowsOf({ ...answered, where: sql`volume = ${volume} AND ${answered.where}` })
  const now = sql`(SELECT parent_path, name, size, modified, inode FROM ${entriesAt(inStorages(snapshot, [volume]))} WHERE NOT is_directory)`
  const here = sql`(SELECT * FROM ${now} WHERE (parent_path, name) IN (SELECT parent_path, name FROM ${rows}))`
  const isHere = sql`(parent_path, name) IN (SELECT parent_path, name FROM ${here})`
  const moved = sql`(
    SELECT * FROM ${now}
    WHERE inode != 0 AND (inode, size, modified) IN (SELECT inode, size, modified FROM ${rows} WHERE NOT ${isHere})
      AND (parent_path, name) NOT IN (SELECT parent_path, name FROM ${list}))`
  const staying =
    answer === 'keep'
      ? sql`${isHere} OR (inode, size, modified) NOT IN (SELECT inode, size, modified FROM ${moved})`
      : sql`(parent_path, name, size, modified) IN (SELECT parent_path, name, size, modified FROM ${here})`
  const places = sql`
    SELECT volume, parent_path, name FROM ${rows} WHERE ${remove ? sql`1` : staying}
    UNION ALL SELECT ${volume} AS volume, parent_path, name FROM ${moved}`
  return { from: sql`(${places})`, where: sql`1` }
}

const rowsOf = ({ selectionId, where }: Pick<Answered, 'selectionId' | 'where'>): Sql =>
  sql`(SELECT volume, parent_path, name, size, modified, inode FROM selected_entries
    WHERE ${rowsOfSelection(selectionId).where} AND ${where})`
