import {
  filesByHash,
  foldersByHash,
  searchDates,
  searchFields,
  searchFiles,
  searchFolders,
  searchSizes,
} from '#events/search/calls.ts'
import type { Input } from '#events/contract/endpoint.ts'
import { searchDuplicateFolders } from '#events/search/duplicateFolders.ts'
import { noFilters, type SearchFilters } from '#events/search/filters.ts'
import { hasId, listEntries } from '#server/entries/listEntries.ts'
import type { CountedTotals } from '#server/entries/totals.ts'
import { selectEntries } from '#server/entries/selectEntries.ts'
import { forCaller } from '#server/platform/clickhouse/forCaller.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Caller, route } from '#server/platform/http/route.ts'
import { sql, typed } from '#server/platform/clickhouse/sql.ts'
import { withPrices } from '#server/snapshots/reading/costUnits.ts'
import { snapshotOrEmpty } from '#server/snapshots/reading/snapshotAt.ts'
import { byField } from './byField.ts'
import { byPeriod, endOf } from './byPeriod.ts'
import { criteriaRoutes } from './criteriaRoutes.ts'
import { duplicateFolders } from './duplicate-folders/duplicateFolders.ts'
import { sizesBySearch } from './sizesBySearch.ts'

type Kind = 'files' | 'folders'
type ListQuery = { indexingDate?: string | undefined; sort?: string | undefined }
type Query = SearchFilters & ListQuery
type CopiesQuery = ListQuery & { exceptFileId?: string | undefined }
const bySize = { sort: 'size', direction: 'desc' } as const
const byName = { sort: 'name', direction: 'asc' } as const

export const searchRoutes = ({ db, clickhouse }: Platform) => {
  const select = async (query: Query, kind: Kind) => {
    const snapshot = await withPrices(db, await snapshotOrEmpty(db, query.indexingDate), query.sort)
    return selectEntries({ db, clickhouse }, snapshot, query, kind)
  }
  const copies = async (hash: string, query: CopiesQuery, kind: Kind) => {
    const all = await select({ ...noFilters, indexingDate: query.indexingDate, sort: query.sort }, kind)
    const isSame = sql`identification_hash = ${typed(BigInt(`0x${hash}`).toString(), 'UInt64')}`
    const other = query.exceptFileId === undefined ? sql`true` : sql`NOT (${hasId(query.exceptFileId)})`
    return { ...all, where: sql`${all.where} AND identification_hash != 0 AND ${isSame} AND ${other}` }
  }
  const clickhouseFor = (caller: Caller) => forCaller(caller, clickhouse)
  const search = async (query: Input<typeof searchFiles>['query'], caller: Caller, kind: Kind) => {
    const [clickhouse, selection] = [clickhouseFor(caller), await select(query, kind)]
    const totals = (counted?: CountedTotals) =>
      sizesBySearch(clickhouse, { ...selection, kind, filters: query }, counted)
    return listEntries(clickhouse, selection, query, bySize, query.totals ? totals : undefined)
  }
  return [
    route(searchFiles, ({ query }, caller) => search(query, caller, 'files')),
    route(searchFolders, ({ query }, caller) => search(query, caller, 'folders')),
    route(searchSizes, async ({ query }, caller) => {
      const kind = query.isDirectory ? 'folders' : 'files'
      return sizesBySearch(clickhouseFor(caller), { ...(await select(query, kind)), kind, filters: query })
    }),
    route(searchDates, async ({ query }, caller) =>
      byPeriod(clickhouseFor(caller), await select(query, 'files'), {
        ...query,
        before: endOf(query.dateField, query),
      }),
    ),
    route(searchFields, async ({ query }, caller) =>
      byField(clickhouseFor(caller), await select(query, 'files'), query.fieldName, query.size),
    ),
    route(searchDuplicateFolders, async ({ query: { size, ...query } }, caller) =>
      duplicateFolders(clickhouseFor(caller), await select(query, 'files'), size),
    ),
    route(filesByHash, async ({ params, query }, caller) =>
      listEntries(clickhouseFor(caller), await copies(params.hash, query, 'files'), query, byName),
    ),
    route(foldersByHash, async ({ params, query }, caller) =>
      listEntries(clickhouseFor(caller), await copies(params.hash, query, 'folders'), query, byName),
    ),
    ...criteriaRoutes({ db, clickhouse }),
  ]
}
