import type { ReportParameters, ReportType } from '#events/reports/templates.ts'
import { Criteria, countQueries, type WrittenCriteria } from '#events/search/criteria.ts'
import { entriesOf } from '#server/content/entries/selectEntries.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Stores } from '#server/platform/platform.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { selectByCriteria } from '#server/content/entries/selectEntries.ts'
import { checkExpressions } from '#server/questions/search/index.ts'
import type { EntryRows } from '#server/questions/selections/index.ts'
import { areDuplicates } from '#server/content/snapshots/reading/duplicateRules.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { emptySnapshot, type Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { overlaps, inPlaces, placesOf, type SourcePlace, volumesOf } from './sourcePlaces.ts'

type ReportQuery = { type: ReportType; parameters: ReportParameters }

/**
 * The entries that a report finds in a snapshot, and all entries it searches. Throws 409 if one of its storages or
 * projects was deleted, and 400 for an invalid regular expression in its query.
 */
export async function selectFound(
  stores: Stores,
  snapshot: Snapshot,
  { type, parameters }: ReportQuery,
  scope: Scope,
): Promise<{ found: EntryRows; total: EntryRows }> {
  const { references, comparison, searchQueryNode: query } = parameters
  const met = query && countQueries(query) > 0 ? await selectMet(stores, snapshot, query) : undefined
  if (type === 'SEARCH_QUERY') {
    const all = { from: entriesAt(snapshot), where: sql`depth > 0` }
    return { found: met ?? all, total: all }
  }
  const [compared, reference] = [
    await placesOf(stores.db, comparison, scope),
    await placesOf(stores.db, references, scope),
  ]
  const total = { from: entriesIn(snapshot, compared), where: sql`depth > 0 AND ${inPlaces(compared)}` }
  const { from, where } = met ? { from: met.from, where: sql`${present(met)} AND ${inPlaces(compared)}` } : total
  const matched = isIn(snapshot, reference, overlaps(compared, reference))
  return { total, found: { from, where: sql`${where} AND ${type === 'UNIQUE' ? sql`NOT ${matched}` : matched}` } }
}

async function selectMet(
  stores: Stores,
  snapshot: Snapshot,
  query: WrittenCriteria,
): Promise<EntryRows & { deleted: boolean }> {
  const criteria = Criteria.parse(query)
  await checkExpressions(stores.clickhouse, criteria)
  const { from, where, deleted } = await selectByCriteria(stores.db, snapshot, criteria)
  return { from, where, deleted: deleted === 'each' }
}

/** Only existing entries are compared. */
const present = ({ where, deleted }: { where: Sql; deleted: boolean }): Sql =>
  deleted ? sql`${where} AND NOT is_deleted` : where

const entriesIn = (snapshot: Snapshot, places: readonly SourcePlace[]): Sql =>
  places.length === 0 ? entriesAt(emptySnapshot) : entriesOf(snapshot, volumesOf(places))

/**
 * Condition: the reference data contains a duplicate of the entry; a different entry, if the entry itself may be in the
 * reference data.
 */
function isIn(snapshot: Snapshot, reference: readonly SourcePlace[], mayBeItself: boolean): Sql {
  const hashes = sql`SELECT identification_hash FROM ${entriesIn(snapshot, reference)}
    WHERE depth > 0 AND identification_hash != 0 AND ${inPlaces(reference)}`
  const mayBe = sql`identification_hash != 0 AND ${areDuplicates(snapshot.rules, sql`is_directory`, sql`size`)}`
  if (!mayBeItself) return sql`(${mayBe} AND identification_hash IN (${hashes}))`
  const several = sql`${hashes} GROUP BY identification_hash HAVING count() > 1`
  const isIt = sql`if(${inPlaces(reference)}, identification_hash IN (${several}), identification_hash IN (${hashes}))`
  return sql`(${mayBe} AND ${isIt})`
}
