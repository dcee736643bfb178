import { z } from 'zod'
import { WrittenCriteria } from './search/criteria.ts'
import { AtDate, Flag, endpoint } from './contract/endpoint.ts'
import { Entry } from './entries.ts'
import { writtenInt } from './contract/numbers.ts'
import { SearchFilters } from './search/filters.ts'
import { SelectedEntry } from './selections.ts'

/** Tags with this prefix belong to the product, such as those of reports, and are hidden from users. */
export const hiddenTagPrefix = 'dataintell.'

/** Prefix of tags that reports assign. */
export const reportTagPrefix = `${hiddenTagPrefix}report.`

/** Tag that a report run assigns to its results, on a day `yyyy-MM-dd`. */
export const reportTag = (name: string, day: string): string => `${reportTagPrefix}${name}.${day}`

/** The report behind a tag; undefined for other tags. */
export function readReportTag(tag: string): { name: string; day: string } | undefined {
  if (!tag.startsWith(reportTagPrefix)) return undefined
  const [, name, day] = /^(.+)\.(\d{4}-\d{2}-\d{2})$/s.exec(tag.slice(reportTagPrefix.length)) ?? []
  return name && day ? { name, day } : undefined
}

export const maxTagLength = 100
/** Maximum number of tags and entries in one call. Tagging the results of a search has no such limit. */
const maxTags = 100
export const maxTaggedEntries = 1000

/** A tag as users write it. Case-sensitive. */
export const Tag = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(maxTagLength)
  .refine((tag) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(tag), 'must not hold control characters')
  .refine((tag) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(tag), 'must not be blank')
  .refine((tag) => !tag.toLowerCase().startsWith(hiddenTagPrefix), `must not begin with ${hiddenTagPrefix}`)

const Tags = z
  .array(Tag)
  .max(maxTags)
  .transform((tags) => [...new Set(tags)])

/** The `code` of the error when a previous snapshot would be changed. */
export const readOnlyCode = 'index-write'
export const readOnlyMessage = (kind: 'file' | 'folder'): string =>
  `Unable to update a ${kind} from a previous snapshot as it is read only`

const Known = AtDate.extend({ size: writtenInt(1, 1000).default(1000) })

/** Tags of entries on a day, sorted, without hidden ones. `search` matches a part of their names. */
export const knownTags = endpoint({
  method: 'GET',
  path: '/v1/files/tags',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to fetch tags',
  query: Known.extend({ search: z.string().max(maxTagLength).optional() }),
  answer: z.array(z.string()),
})

/** Names of the reports whose results exist on a day. */
export const knownReports = endpoint({
  method: 'GET',
  path: '/v1/files/reports',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the list of reports.',
  query: Known,
  answer: z.array(z.string()),
})

const FileId = z.object({ id: z.string().regex(/^[0-9a-fA-F]{1,16}$/, 'must be a hexadecimal number') })

/**
 * Sets the tags of a file or folder, except hidden ones. The body may be the full record: the day of its scan is
 * checked, all other fields are ignored. Returns the updated record.
 */
export const updateEntry = endpoint({
  method: 'PUT',
  path: '/files/:id',
  needs: 'entries.tagManaged',
  limitedBy: 'entries',
  failure: 'Unable to update file',
  failureOfFolders: 'Unable to update folder',
  params: FileId,
  query: AtDate,
  body: z.looseObject({ customTag: Tags, isDirectory: z.boolean().default(false), ...AtDate.shape }),
  answer: Entry,
})

export type TagChange = { add: string[]; remove: string[] }

/**
 * Adds and removes tags of a selection, all or nothing. Tags that an entry already has, or does not have, are skipped.
 */
export const changeTags = endpoint({
  method: 'PUT',
  path: '/v1/files/tags',
  needs: 'entries.tagManaged',
  limitedBy: 'entries',
  failure: 'Unable to update file',
  failureOfFolders: 'Unable to update folder',
  query: AtDate,
  body: z
    .object({
      entries: z.array(SelectedEntry).min(1, 'must name an entry').max(maxTaggedEntries),
      add: Tags.default([]),
      remove: Tags.default([]),
    })
    .refine(({ add, remove }) => add.length + remove.length > 0, { path: ['add'], error: 'must name a tag' })
    .refine(({ add, remove }) => !add.some((tag) => remove.includes(tag)), {
      path: ['remove'],
      error: 'must not name a tag that is added',
    }),
  /** Number of entries that changed. */
  answer: z.object({ changed: z.int() }),
})

const listOfTags = z.preprocess(
  (tags) => [tags ?? []].flat(),
  Tags.refine((tags) => tags.length > 0, 'is required'),
)
/**
 * Parameters of the job that tags search results, in addition to the search. `everything` is set if the search has no
 * filter. An empty `search` says so too: specification 1 §7 tags all results of a search without filters by it.
 */
const Tagging = z.object({ isDirectory: Flag, deleteTag: Flag, tagToApply: listOfTags, everything: Flag })

const withEverything = (query: unknown): unknown =>
  typeof query === 'object' && query !== null && 'search' in query ? { everything: 'true', ...query } : query

/** Error for a search without a filter, which would tag all entries, if `everything` is not set. */
export const searchesEverything = 'must be true where no filter is given, since all entries are tagged'

/**
 * Starts a background job that adds tags to all results of a search, or removes them. A search without a filter is a
 * 400 unless `everything` is set.
 */
export const tagResults = endpoint({
  method: 'POST',
  path: '/v1/files/search/tags',
  needs: 'entries.tagManaged',
  limitedBy: 'entries',
  failure: 'Unable to update file',
  failureOfFolders: 'Unable to update folder',
  query: z.preprocess(withEverything, z.intersection(z.intersection(SearchFilters, AtDate), Tagging)),
  answer: z.object({ jobId: z.int() }),
})

/** Same as `tagResults`, for criteria; either for files or for folders. */
export const tagByCriteria = endpoint({
  method: 'POST',
  path: '/v1/search/tags',
  needs: 'entries.tagManaged',
  limitedBy: 'entries',
  failure: 'Unable to update file',
  failureOfFolders: 'Unable to update folder',
  query: z.intersection(AtDate, Tagging),
  body: WrittenCriteria,
  answer: z.object({ jobId: z.int() }),
})
