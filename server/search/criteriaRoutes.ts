import {
  type Criteria,
  searchEntries,
  searchEntriesDates,
  searchEntriesFields,
  searchEntriesSizes,
  searchFieldTypes,
} from '#events/search/criteria.ts'
import { listEntries } from '#server/entries/listEntries.ts'
import type { CountedTotals } from '#server/entries/totals.ts'
import { forCaller } from '#server/platform/clickhouse/forCaller.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Caller, route } from '#server/platform/http/route.ts'
import { withPrices } from '#server/snapshots/reading/costUnits.ts'
import { snapshotOrEmpty } from '#server/snapshots/reading/snapshotAt.ts'
import { byField } from './byField.ts'
import { byPeriod } from './byPeriod.ts'
import { checkExpressions } from './checkExpressions.ts'
import { openFieldTypes } from './fieldTypes.ts'
import { selectByCriteria } from './selectByCriteria.ts'
import { ofKind } from './selectBySearch.ts'
import { sizesByCriteria } from './sizesBySearch.ts'

type Query = { indexingDate?: string | undefined; sort?: string | undefined }
const bySize = { sort: 'size', direction: 'desc' } as const

export const criteriaRoutes = ({ db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>) => {
  const fieldTypes = openFieldTypes(clickhouse)
  const clickhouseFor = (caller: Caller) => forCaller(caller, clickhouse)
  const select = async (query: Query, criteria: Criteria, kind: 'files' | 'all' = 'all') => {
    // Errors name fields of the criteria as they were sent.
    await checkExpressions(clickhouse, criteria)
    const searched = kind === 'files' ? ofKind(criteria, false) : criteria
    const snapshot = await withPrices(db, await snapshotOrEmpty(db, query.indexingDate), query.sort)
    return selectByCriteria(db, snapshot, searched)
  }
  return [
    route(searchEntries, async ({ query, body }, caller) => {
      const [clickhouse, selection] = [clickhouseFor(caller), await select(query, body)]
      const totals = (counted?: CountedTotals) => sizesByCriteria(clickhouse, selection, body, counted)
      return listEntries(clickhouse, selection, query, bySize, query.totals ? totals : undefined)
    }),
    route(searchEntriesSizes, async ({ query, body }, caller) =>
      sizesByCriteria(clickhouseFor(caller), await select(query, body), body),
    ),
    route(searchEntriesDates, async ({ query, body }, caller) =>
      byPeriod(clickhouseFor(caller), await select(query, body, 'files'), query),
    ),
    route(searchEntriesFields, async ({ query, body }, caller) =>
      byField(clickhouseFor(caller), await select(query, body, 'files'), query.fieldName, query.size),
    ),
    route(searchFieldTypes, async ({ query }) => fieldTypes(await snapshotOrEmpty(db, query.indexingDate))),
  ]
}
