import { type Criteria, searchEntries, searchEntriesSizes, searchFieldTypes } from '#events/criteria.ts'
import { listEntries } from '#server/entries/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { nothingIndexed, snapshotAt } from '#server/snapshots/index.ts'
import { checkExpressions } from './checkExpressions.ts'
import { openFieldTypes } from './fieldTypes.ts'
import { meantByCriteria } from './meantByCriteria.ts'
import { sizesByCriteria } from './sizesByCriteria.ts'

type Asked = { indexingDate?: string | undefined }
const bySize = { sort: 'size', direction: 'desc' } as const

export const criteriaRoutes = ({ db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>) => {
  const fieldTypes = openFieldTypes(clickhouse)
  const shownOn = async ({ indexingDate }: Asked) => (await snapshotAt(db, indexingDate)) ?? nothingIndexed
  const meant = async (query: Asked, criteria: Criteria) => {
    await checkExpressions(clickhouse, criteria)
    return meantByCriteria(db, await shownOn(query), criteria)
  }
  return [
    route(searchEntries, async ({ query, body }) => listEntries(clickhouse, await meant(query, body), query, bySize)),
    route(searchEntriesSizes, async ({ query, body }) => sizesByCriteria(clickhouse, await meant(query, body), body)),
    route(searchFieldTypes, async ({ query }) => fieldTypes(await shownOn(query))),
  ]
}
