import {
  filesByHash,
  foldersByHash,
  searchDates,
  searchFields,
  searchFiles,
  searchFolders,
  searchSizes,
} from '#events/search/calls.ts'
import {
  type Criteria,
  searchEntries,
  searchEntriesDates,
  searchEntriesFields,
  searchEntriesSizes,
  searchFieldTypes,
} from '#events/search/criteria.ts'
import { mediaOfFile, searchEntriesMedia, searchMedia } from '#events/media/found.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { searchDuplicateFolders } from '#events/search/duplicateFolders.ts'
import { filterRanges } from '#events/search/filterRanges.ts'
import { noFilters, type SearchFilters } from '#events/search/filters.ts'
import { hasId, listEntries } from '#server/content/entries/listEntries.ts'
import {
  type EntryKind,
  type FoundEntries,
  selectByCriteria,
  selectEntries,
} from '#server/content/entries/selectEntries.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { forCaller } from '#server/platform/clickhouse/forCaller.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Caller, route } from '#server/platform/http/route.ts'
import { sql, typed } from '#server/platform/clickhouse/sql.ts'
import { asOf } from '#server/content/snapshots/reading/asOf.ts'
import { withPrices } from '#server/content/snapshots/reading/costUnits.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { byField } from './byField.ts'
import { byPeriod } from './byPeriod.ts'
import { checkExpressions } from './checkExpressions.ts'
import { duplicateFolders } from './duplicate-folders/duplicateFolders.ts'
import { openFieldTypes } from './fieldTypes.ts'
import { detailsOfFile, mediaOfSearch } from './mediaOf.ts'
import { sizesBySearch } from './sizesBySearch.ts'

type Kind = 'files' | 'folders'
type ListQuery = { indexingDate?: string | undefined; sort?: string | undefined }
type CopiesQuery = ListQuery & { exceptFileId?: string | undefined }
type SearchQuery = ListQuery & PageQuery & { cursor?: string | undefined; totals: boolean }
const bySize = { sort: 'size', direction: 'desc' } as const
const byName = { sort: 'name', direction: 'asc' } as const

/** Selections of the entries of a snapshot by the input of a call. */
function selections({ db, clickhouse }: Platform) {
  const snapshotOf = async ({ indexingDate, sort }: ListQuery, { scope }: Caller) =>
    withPrices(db, await snapshotOrEmpty(db, scope, indexingDate), sort)
  const byFilters = async (query: SearchFilters & ListQuery, kind: Kind, caller: Caller) =>
    selectEntries({ db, clickhouse }, await snapshotOf(query, caller), query, kind)
  return {
    byFilters,
    byCriteria: async (query: ListQuery, criteria: Criteria, caller: Caller, kind: EntryKind = 'all') => {
      await checkExpressions(clickhouse, criteria)
      return selectByCriteria(db, await snapshotOf(query, caller), criteria, { kind })
    },
    copies: async (hash: string, query: CopiesQuery, kind: Kind, caller: Caller) => {
      const all = await byFilters({ ...noFilters, indexingDate: query.indexingDate, sort: query.sort }, kind, caller)
      const isSame = sql`identification_hash = ${typed(BigInt(`0x${hash}`).toString(), 'UInt64')}`
      const other = query.exceptFileId === undefined ? sql`true` : sql`NOT (${hasId(query.exceptFileId)})`
      return { ...all, where: sql`${all.where} AND identification_hash != 0 AND ${isSame} AND ${other}` }
    },
  }
}

const sizesOf = async (clickhouse: ClickHouse, selection: FoundEntries) => ({
  ...(await sizesBySearch(clickhouse, selection)),
  ...asOf(selection.volumes),
})

export const searchRoutes = (platform: Platform) => {
  const { db, clickhouse } = platform
  const { byFilters, byCriteria, copies } = selections(platform)
  const fieldTypes = openFieldTypes(clickhouse)
  const clickhouseFor = (caller: Caller) => forCaller(caller, clickhouse)
  const search = (selection: FoundEntries, query: SearchQuery, caller: Caller) => {
    const clickhouse = clickhouseFor(caller)
    const totals = query.totals ? sizesBySearch.bind(undefined, clickhouse, selection) : undefined
    return listEntries(clickhouse, selection, query, bySize, totals)
  }
  return [
    route(searchFiles, async ({ query }, caller) => search(await byFilters(query, 'files', caller), query, caller)),
    route(searchFolders, async ({ query }, caller) => search(await byFilters(query, 'folders', caller), query, caller)),
    route(searchEntries, async ({ query, body }, caller) =>
      search(await byCriteria(query, body, caller), query, caller),
    ),
    route(searchSizes, async ({ query }, caller) =>
      sizesOf(clickhouseFor(caller), await byFilters(query, query.isDirectory ? 'folders' : 'files', caller)),
    ),
    route(searchEntriesSizes, async ({ query, body }, caller) =>
      sizesOf(clickhouseFor(caller), await byCriteria(query, body, caller)),
    ),
    route(searchDates, async ({ query }, caller) => {
      const before = query[filterRanges[query.dateField][1]]
      return byPeriod(clickhouseFor(caller), await byFilters(query, 'files', caller), { ...query, before })
    }),
    route(searchEntriesDates, async ({ query, body }, caller) =>
      byPeriod(clickhouseFor(caller), await byCriteria(query, body, caller, 'files'), query),
    ),
    route(searchFields, async ({ query }, caller) =>
      byField(clickhouseFor(caller), await byFilters(query, 'files', caller), query.fieldName, query.size),
    ),
    route(searchEntriesFields, async ({ query, body }, caller) =>
      byField(clickhouseFor(caller), await byCriteria(query, body, caller, 'files'), query.fieldName, query.size),
    ),
    ...mediaRoutes(platform),
    route(searchFieldTypes, async ({ query }, { scope }) =>
      fieldTypes(await snapshotOrEmpty(db, scope, query.indexingDate)),
    ),
    route(searchDuplicateFolders, async ({ query: { size, ...query } }, caller) =>
      duplicateFolders(clickhouseFor(caller), await byFilters(query, 'files', caller), size),
    ),
    ...([filesByHash, foldersByHash] as const).map((call) =>
      route(call, async ({ params, query }, caller) => {
        const kind = call === filesByHash ? 'files' : 'folders'
        return listEntries(clickhouseFor(caller), await copies(params.hash, query, kind, caller), query, byName)
      }),
    ),
  ]
}

function mediaRoutes(platform: Platform) {
  const { byFilters, byCriteria } = selections(platform)
  return [
    route(searchMedia, async ({ query }, caller) =>
      mediaOfSearch(forCaller(caller, platform.clickhouse), await byFilters(query, 'files', caller)),
    ),
    route(searchEntriesMedia, async ({ query, body }, caller) =>
      mediaOfSearch(forCaller(caller, platform.clickhouse), await byCriteria(query, body, caller, 'files')),
    ),
    route(mediaOfFile, async ({ params: { volumeId, fileId }, query }, { scope }) =>
      detailsOfFile(
        platform.clickhouse,
        await snapshotOrEmpty(platform.db, scope, query.indexingDate),
        volumeId,
        fileId,
      ),
    ),
  ]
}
