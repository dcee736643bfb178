import { z } from 'zod'
import { type EntryPage, type Entry, listSorts } from '#events/entries.ts'
import { searchEntries } from '#events/search/criteria.ts'
import {
  filesByHash,
  foldersByHash,
  groupingFields,
  type SearchPage,
  searchDates,
  searchFields,
  searchFiles,
  searchFolders,
  searchSizes,
} from '#events/search/calls.ts'
import { searchDuplicateFolders } from '#events/search/duplicateFolders.ts'
import { savedSearches } from '#events/search/savedSearches.ts'
import { knownReports, knownTags } from '#events/tags.ts'
import { invalid } from '#server/platform/problem.ts'
import { entryAt, entryLink, entryRow } from '../entries.ts'
import { asQuery, conditions, filters, kind, queryOf, readConditions } from '../filters.ts'
import {
  type Context,
  direction,
  first,
  type Result,
  indexingDate,
  limit,
  page,
  paged,
  path,
  storage,
  tool,
} from '../tool.ts'

const cursor = z.string().describe('The next of the previous result').optional()
const searchInput = {
  kind,
  ...filters,
  conditions: conditions.optional(),
  sort: z.enum(listSorts).default('size'),
  direction,
  limit,
  cursor,
}
type SearchInput = z.output<z.ZodObject<typeof searchInput>>

const listed = ({ indexingDate, elements, totals, total, cursor }: SearchPage): Omit<Result, 'link'> => ({
  figures: { indexingDate, size: totals?.size, reclaimable: totals?.reclaimable },
  rows: elements.map(entryRow),
  total: totals?.count ?? total,
  next: cursor,
})

async function search(context: Context, input: SearchInput, activeTab?: number): Promise<Result> {
  const { kind, sort, direction, limit: size, cursor, conditions, ...given } = input
  const { indexingDate } = given
  const page = { sort, direction, size, cursor, indexingDate, totals: 'true' }
  const shown = { sort, direction, indexingDate, activeTab: kind === 'folders' ? 1 : activeTab }
  if (conditions === undefined) {
    const query = await queryOf(context, given)
    const found = await context.call(kind === 'files' ? searchFiles : searchFolders, { query: { ...query, ...page } })
    return { ...listed(found), link: context.links('/search', { ...query, ...shown }) }
  }
  if (Object.entries(given).some(([name, value]) => name !== 'indexingDate' && value !== undefined))
    invalid('conditions', "can't be combined with filters: write them as conditions")
  const criteria = await readConditions(context.call, conditions)
  const ofKind = [{ isDirectory: { value: kind === 'folders' } }]
  const found = await context.call(searchEntries, {
    query: page,
    body: { searchQueries: ofKind, searchQueryNodes: [criteria] },
  })
  return { ...listed(found), link: context.links('/search', { ...asQuery(criteria), ...shown }) }
}

/** Other entries with the hash of an entry, and their number. */
export async function copiesOf({ call }: Context, entry: Entry, size: number, indexingDate?: string) {
  const { identificationHash: hash, fileId: exceptFileId, isDirectory } = entry
  if (hash === '') return { elements: [] as EntryPage['elements'], total: 0 }
  const query = { exceptFileId, indexingDate, size }
  return call(isDirectory ? foldersByHash : filesByHash, { params: { hash }, query })
}

const { extension, minimumSize } = filters
const few = { storage, path: path.optional(), extension, minimumSize, indexingDate, limit }

export const fileTools = [
  tool(
    'search',
    'Files or folders that match filters, with their number and total size. Also answers how many and how much. Deeper folders are included.',
    searchInput,
    (input, context) => search(context, input),
  ),
  tool(
    'largest_folders',
    'Folders at any depth, largest first. The size of a folder includes the folders in it.',
    { ...few, cursor },
    (given, context) => search(context, { ...given, kind: 'folders', sort: 'size', direction: 'desc' }),
  ),
  tool(
    'distribution',
    'Number and size of files by a field, or by the last years, months, weeks or days of a date. Takes the filters of search.',
    {
      by: z.enum([...groupingFields, 'lastModified', 'lastAccess', 'creationDate']),
      period: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']).default('YEAR'),
      ...filters,
      limit,
    },
    async ({ by, period: dateIntervalType, limit, ...given }, context) => {
      const query = await queryOf(context, given)
      const ofDate = by === 'lastModified' || by === 'lastAccess' || by === 'creationDate'
      const link = context.links('/search', { ...query, activeTab: 2 })
      if (!ofDate) {
        const rows = await context.call(searchFields, { query: { ...query, fieldName: by, size: 1000 } })
        return first(rows, limit, link)
      }
      const ofPeriods = { ...query, dateField: by, dateIntervalType, size: limit }
      const rows = await context.call(searchDates, { query: ofPeriods })
      // Older periods are left out.
      return { figures: { ofAllPeriods: await context.call(searchSizes, { query }) }, ...first(rows, limit, link) }
    },
  ),
  tool(
    'duplicates',
    'Files with copies, and the bytes that keeping one of each would free. Copies have the same name, size and modified time, or checksum in buckets; contents are not compared.',
    { ...few, cursor },
    (given, context) =>
      search(context, { ...given, onlyDuplicates: true, kind: 'files', sort: 'duplicateSet', direction: 'desc' }, 3),
  ),
  tool(
    'duplicate_folders',
    'Groups of folders with the same files, largest reclaimable bytes first, with up to 10 folders each.',
    few,
    async ({ limit, ...given }, context) => {
      const query = await queryOf(context, given)
      const { elements, ...figures } = await context.call(searchDuplicateFolders, { query: { ...query, size: 1000 } })
      const link = context.links('/search', { ...query, onlyDuplicates: true, activeTab: 3 })
      return { figures, ...first(elements, limit, link) }
    },
  ),
  tool(
    'details',
    'Size and all attributes of one file, of a folder with everything below, or of a whole storage.',
    { storage, path: path.optional(), indexingDate },
    async (given, context) => {
      const figures = await entryAt(context, given)
      return { figures: { ...figures, largest: undefined }, link: entryLink(context, figures, given.indexingDate) }
    },
  ),
  tool(
    'who_has_a_copy',
    'Other files, or folders, that are copies of the one at a path, on all storages, and its state in the archive indexes.',
    { path, storage, indexingDate, limit },
    async ({ limit, ...given }, context) => {
      const entry = await entryAt(context, given)
      const { elements, total } = await copiesOf(context, entry, limit, given.indexingDate)
      const link = entryLink(context, entry, given.indexingDate)
      return { figures: { of: entryRow(entry) }, rows: elements.map(entryRow), total, link }
    },
  ),
  tool(
    'tags',
    'Tags of files and folders, and names of reports with results. Use them as filters of search.',
    { search: z.string().describe('Part of a tag').optional(), indexingDate, limit },
    async ({ limit, ...query }, { call, links }) => {
      const tags = await call(knownTags, { query })
      const reports = await call(knownReports, { query: { indexingDate: query.indexingDate, size: limit } })
      return {
        ...first(
          tags.map((tag) => ({ tag })),
          limit,
          links('/search'),
        ),
        figures: { reports },
      }
    },
  ),
  tool(
    'saved_searches',
    'Saved searches; `query` is the part of their address on the search screen.',
    { page, limit },
    async ({ page, limit: size }, { call, links }) =>
      paged(await call(savedSearches.list, { query: { page, size } }), links('/search')),
  ),
]
