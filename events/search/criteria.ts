import { z } from 'zod'
import { AtTime, endpoint } from '#events/contract/endpoint.ts'
import { IgnoredPage } from '#events/contract/page.ts'
import { DatePoint, DatesQuery, FieldsQuery, FieldTotals, SearchPage, SearchPageQuery, TotalsAtTime } from './calls.ts'
import { type Criterion, criterionOf, fieldTypes, SearchQuery } from './query.ts'
import { SearchDay } from './relativeDays.ts'

export const maxQueries = 100
/** Maximum size of all queries together, as JSON. Statements of the engine can hold this much in any encoding. */
export const maxCriteriaBytes = 60_000
export const maxNesting = 5

/** Queries and nodes, combined with AND or OR. A node without either matches everything. */
export type SearchQueryNode = {
  searchOperator: 'AND' | 'OR'
  searchQueries: Criterion[]
  searchQueryNodes: SearchQueryNode[]
}

/** The written form of a node. */
type WrittenNode = {
  searchOperator: 'AND' | 'OR'
  searchQueries: SearchQuery[]
  searchQueryNodes: WrittenNode[]
}

const none = z.array(z.unknown()).max(0, `must not be nested deeper than ${maxNesting}`)
const nodeOf = (nodes: z.ZodType<WrittenNode[]>): z.ZodType<WrittenNode> =>
  z
    .strictObject({
      id: z.union([z.string().max(100), z.number()]).nullish(),
      searchOperator: z.enum(['AND', 'OR']).nullish(),
      searchQueries: z.array(SearchQuery).nullish(),
      searchQueryNodes: nodes.nullish(),
    })
    .refine(({ searchQueries, searchQueryNodes }) => searchQueries ?? searchQueryNodes, {
      path: ['searchQueries'],
      message: 'is required',
    })
    .transform(({ searchOperator, searchQueries, searchQueryNodes }) => ({
      searchOperator: searchOperator ?? 'AND',
      searchQueries: searchQueries ?? [],
      searchQueryNodes: searchQueryNodes ?? [],
    }))

let node = nodeOf(none.transform(() => []))
for (let depth = 1; depth < maxNesting; depth++) node = nodeOf(z.array(node))

type QueryTree = { searchQueries: readonly unknown[]; searchQueryNodes: readonly QueryTree[] }
export const countQueries = ({ searchQueries, searchQueryNodes }: QueryTree): number =>
  searchQueries.length + searchQueryNodes.reduce((sum, inner) => sum + countQueries(inner), 0)

export const readNode = ({ searchOperator, searchQueries, searchQueryNodes }: WrittenNode): SearchQueryNode => ({
  searchOperator,
  searchQueries: searchQueries.map(criterionOf),
  searchQueryNodes: searchQueryNodes.map(readNode),
})

/**
 * Search criteria: a list of queries that must all match, or a node `{ "searchOperator": "OR", "searchQueries": [...],
 * "searchQueryNodes": [...] }` that nests AND and OR. They match files and folders unless `isDirectory` is queried, and
 * existing entries unless `isDeleted` is. Kept in the written form, which jobs store.
 */
export const WrittenCriteria = z.preprocess(
  (body) => (Array.isArray(body) ? { searchQueries: body } : body),
  node
    .refine((root) => countQueries(root) <= maxQueries, {
      path: ['searchQueries'],
      message: `must be at most ${maxQueries} in all`,
    })
    .refine((root) => new TextEncoder().encode(JSON.stringify(readNode(root))).length <= maxCriteriaBytes, {
      path: ['searchQueries'],
      message: 'must be shorter in all',
    }),
)
export type WrittenCriteria = z.output<typeof WrittenCriteria>

/** Parsed criteria, with the one field of each query. */
export const Criteria = WrittenCriteria.transform(readNode)
export type Criteria = z.output<typeof Criteria>

/** Files and folders that match the criteria; by default sorted by size, largest first. */
export const searchEntries = endpoint({
  method: 'POST',
  path: '/v1/search',
  isReading: true,
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to search the files',
  query: z.intersection(AtTime, SearchPageQuery),
  body: Criteria,
  answer: SearchPage,
})

/** Number and bytes of the matches. Bytes are those of files, or of folders if no file can match. */
export const searchEntriesSizes = endpoint({
  method: 'POST',
  path: '/v1/search/sizes',
  isReading: true,
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the size of the search',
  query: z.intersection(AtTime, IgnoredPage),
  body: Criteria,
  answer: TotalsAtTime,
})

/**
 * Matching files in the last periods of a date, see `searchDates`. The last period has the day before `before`, or the indexing
 * date.
 */
export const searchEntriesDates = endpoint({
  method: 'POST',
  path: '/v1/search/dates',
  isReading: true,
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the dates of the search',
  query: z.intersection(AtTime, DatesQuery.extend({ before: SearchDay.optional() })),
  body: Criteria,
  answer: z.array(DatePoint),
})

/** Matching files by the values of a field, largest first. */
export const searchEntriesFields = endpoint({
  method: 'POST',
  path: '/v1/search/fields',
  isReading: true,
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the fields of the search',
  query: z.intersection(AtTime, FieldsQuery),
  body: Criteria,
  answer: z.array(FieldTotals),
})

/** Searchable fields with their types, including those of the metadata on that day. */
export const searchFieldTypes = endpoint({
  method: 'GET',
  path: '/v1/files/fields/metadata/mapping',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the fields of the search',
  query: AtTime,
  answer: z.record(z.string(), z.enum(fieldTypes)),
})
