import {
  filesByHash,
  foldersByHash,
  searchDates,
  searchFields,
  searchFiles,
  searchFolders,
  searchSizes,
} from '#events/search.ts'
import { noFilters, type SearchFilters } from '#events/search-filters.ts'
import { listEntries, meantEntries } from '#server/entries/index.ts'
import { onBehalfOf } from '#server/platform/clickhouse/onBehalfOf.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Caller, route } from '#server/platform/route.ts'
import { sql, typed } from '#server/platform/sql.ts'
import { shownOn } from '#server/snapshots/index.ts'
import { byField } from './byField.ts'
import { byPeriod } from './byPeriod.ts'
import { criteriaRoutes } from './criteriaRoutes.ts'
import { sizesBySearch } from './sizesBySearch.ts'

type Asked = SearchFilters & { indexingDate?: string | undefined }
const bySize = { sort: 'size', direction: 'desc' } as const
const byName = { sort: 'name', direction: 'asc' } as const

export const searchRoutes = ({ db, clickhouse }: Platform) => {
  const meant = async (query: Asked, kind: 'files' | 'folders') =>
    meantEntries(db, await shownOn(db, query.indexingDate), query, kind)
  const copies = async (hash: string, query: { indexingDate?: string | undefined }, kind: 'files' | 'folders') => {
    const all = await meant({ ...noFilters, indexingDate: query.indexingDate }, kind)
    const isSame = sql`identification_hash = ${typed(BigInt(`0x${hash}`).toString(), 'UInt64')}`
    return { ...all, where: sql`${all.where} AND identification_hash != 0 AND ${isSame}` }
  }
  const asked = (caller: Caller) => onBehalfOf(caller, clickhouse)
  return [
    route(searchFiles, async ({ query }, caller) =>
      listEntries(asked(caller), await meant(query, 'files'), query, bySize),
    ),
    route(searchFolders, async ({ query }, caller) =>
      listEntries(asked(caller), await meant(query, 'folders'), query, bySize),
    ),
    route(searchSizes, async ({ query: { indexingDate, ...filters } }, caller) =>
      sizesBySearch(asked(caller), await meant({ ...filters, indexingDate }, 'files'), filters),
    ),
    route(searchDates, async ({ query }, caller) => byPeriod(asked(caller), await meant(query, 'files'), query, query)),
    route(searchFields, async ({ query }, caller) =>
      byField(asked(caller), await meant(query, 'files'), query.fieldName, query.size),
    ),
    route(filesByHash, async ({ params, query }, caller) =>
      listEntries(asked(caller), await copies(params.hash, query, 'files'), query, byName),
    ),
    route(foldersByHash, async ({ params, query }, caller) =>
      listEntries(asked(caller), await copies(params.hash, query, 'folders'), query, byName),
    ),
    ...criteriaRoutes({ db, clickhouse }),
  ]
}
