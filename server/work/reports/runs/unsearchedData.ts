import { sql } from 'kysely'
import type { ReportParameters } from '#events/reports/templates.ts'
import { Criteria, type SearchQueryNode } from '#events/search/criteria.ts'
import { type Scope, showsPart } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { EntryCounts } from '#server/questions/selections/index.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'

/**
 * Says which data of a report has no entries in a snapshot, such as a storage that was deleted or never scanned;
 * undefined if all of it was searched. A check of such a run can't pass.
 */
export async function unsearchedData(
  db: Db,
  snapshot: Snapshot,
  { references, comparison, searchQueryNode }: ReportParameters,
  { files, folders, scope }: EntryCounts & { scope: Scope },
): Promise<string | undefined> {
  const sources = [...references, ...comparison].filter(({ type }) => type === 'VOLUME').map(({ id }) => id)
  const named = [...sources, ...(searchQueryNode ? storagesIn(Criteria.parse(searchQueryNode)) : [])]
  const missing = [...new Set(named)].filter((id) => snapshot.volumes.every(({ volumeId }) => volumeId !== id))
  if (missing.length > 0) {
    const rows = db.selectFrom('volumes').select(['id', 'name']).where('id', 'in', missing)
    const known = await rows.where(showsPart(scope, sql`id`)).execute()
    const names = missing.map((id) => known.find((row) => row.id === id)?.name ?? String(id))
    return `there is no data of ${names.join(', ')}`
  }
  return files + folders === 0 ? 'there is no data to search' : undefined
}

/** Storages that a query includes by their ids. */
const storagesIn = ({ searchQueries, searchQueryNodes }: SearchQueryNode): number[] => [
  ...searchQueries.flatMap((criterion) => (criterion.field === 'volumeId' ? criterion.operators.values : [])),
  ...searchQueryNodes.flatMap(storagesIn),
]
