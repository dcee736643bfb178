import { z } from 'zod'
import { AtDate, endpoint } from '#events/contract/endpoint.ts'
import { Cursor, EntryPage } from '#events/entries.ts'
import { PageQuery } from '#events/contract/page.ts'
import { Totals } from './calls.ts'
import { type Criterion, criterionOf, fieldTypes, SearchQuery } from './query.ts'

export const mostQueries = 100
/** Of all queries together, as JSON: a statement of the engine holds so much, however it is written there. */
export const mostBytes = 60_000
export const deepestNesting = 5

/** Queries and nodes of which all or any must hold. A node without either asks nothing. */
export type SearchQueryNode = {
  searchOperator: 'AND' | 'OR'
  searchQueries: Criterion[]
  searchQueryNodes: SearchQueryNode[]
}

/** The same as it is written. */
type WrittenNode = {
  searchOperator: 'AND' | 'OR'
  searchQueries: SearchQuery[]
  searchQueryNodes: WrittenNode[]
}

const none = z.array(z.unknown()).max(0, `must not be nested deeper than ${deepestNesting}`)
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
for (let depth = 1; depth < deepestNesting; depth++) node = nodeOf(z.array(node))

/** How many queries there are in all. */
export const countQueries = ({ searchQueries, searchQueryNodes }: WrittenNode): number =>
  searchQueries.length + searchQueryNodes.reduce((sum, inner) => sum + countQueries(inner), 0)

const readNode = ({ searchOperator, searchQueries, searchQueryNodes }: WrittenNode): SearchQueryNode => ({
  searchOperator,
  searchQueries: searchQueries.map(criterionOf),
  searchQueryNodes: searchQueryNodes.map(readNode),
})

/**
 * What is searched for: a list of queries that must all hold, or a node, `{ "searchOperator": "OR", "searchQueries": [...],
 * "searchQueryNodes": [...] }`, nested to any arrangement of AND and OR. Of files and folders alike, unless `isDirectory`
 * is asked; of what is present, unless anything is said of `isDeleted`. They stay as they are written, as a job keeps them.
 */
export const WrittenCriteria = z.preprocess(
  (body) => (Array.isArray(body) ? { searchQueries: body } : body),
  node
    .refine((root) => countQueries(root) <= mostQueries, {
      path: ['searchQueries'],
      message: `must be at most ${mostQueries} in all`,
    })
    .refine((root) => new TextEncoder().encode(JSON.stringify(readNode(root))).length <= mostBytes, {
      path: ['searchQueries'],
      message: 'must be shorter in all',
    }),
)
export type WrittenCriteria = z.output<typeof WrittenCriteria>

/** The same as they are read: of each query its one field. */
export const Criteria = WrittenCriteria.transform(readNode)
export type Criteria = z.output<typeof Criteria>

/** Files and folders that meet the criteria; by size, largest first, unless told otherwise. */
export const searchEntries = endpoint({
  method: 'POST',
  path: '/v1/search',
  needs: 'snapshots.see',
  failure: 'Unable to search the files',
  query: z.intersection(AtDate, z.intersection(Cursor, PageQuery)),
  body: Criteria,
  answer: EntryPage,
})

/** How many there are; the bytes are those of the files, or of the folders where no file can meet the criteria. */
export const searchEntriesSizes = endpoint({
  method: 'POST',
  path: '/v1/search/sizes',
  needs: 'snapshots.see',
  failure: 'Unable to get the size of the search',
  query: AtDate,
  body: Criteria,
  answer: Totals,
})

/** The fields that can be searched, with their types; also those of the metadata that the day shows. */
export const searchFieldTypes = endpoint({
  method: 'GET',
  path: '/v1/files/fields/metadata/mapping',
  needs: 'snapshots.see',
  failure: 'Unable to get the fields of the search',
  query: AtDate,
  answer: z.record(z.string(), z.enum(fieldTypes)),
})
