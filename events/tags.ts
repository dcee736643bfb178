import { z } from 'zod'
import { WrittenCriteria } from './search/criteria.ts'
import { AtDate, Flag, endpoint } from './contract/endpoint.ts'
import { Entry, PathText } from './entries.ts'
import { writtenInt } from './contract/numbers.ts'
import { SearchFilters } from './search/filters.ts'

/** Tags that begin so are the product's own, such as those of reports; users do not see them. */
export const hiddenTagPrefix = 'dataintell.'

/** The tag of what a report found begins so. */
export const reportTagPrefix = `${hiddenTagPrefix}report.`

/** The tag of what a report found when it ran last, on a day `yyyy-MM-dd`. */
export const reportTag = (name: string, day: string): string => `${reportTagPrefix}${name}.${day}`

/** The report behind a tag; nothing for a tag of another kind. */
export function readReportTag(tag: string): { name: string; day: string } | undefined {
  if (!tag.startsWith(reportTagPrefix)) return undefined
  const [, name, day] = /^(.+)\.(\d{4}-\d{2}-\d{2})$/s.exec(tag.slice(reportTagPrefix.length)) ?? []
  return name && day ? { name, day } : undefined
}

export const mostTagLetters = 100
/** How many tags, and how many entries, one call may name; a search tags any number of entries. */
const mostTags = 100
export const mostTaggedEntries = 1000

/** A tag as users write it. Capital letters count. */
export const Tag = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(mostTagLetters)
  .refine((tag) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(tag), 'must not hold control characters')
  .refine((tag) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(tag), 'must not be blank')
  .refine((tag) => !tag.toLowerCase().startsWith(hiddenTagPrefix), `must not begin with ${hiddenTagPrefix}`)

const Tags = z
  .array(Tag)
  .max(mostTags)
  .transform((tags) => [...new Set(tags)])

/** The `code` of a refusal to change what a previous snapshot shows. */
export const readOnlyCode = 'index-write'
export const readOnlyMessage = (kind: 'file' | 'folder'): string =>
  `Unable to update a ${kind} from a previous snapshot as it is read only`

const Known = AtDate.extend({ size: writtenInt(1, 1000).default(1000) })

/** The tags that entries have on a day, in their order, hidden ones left out; `search` is part of their names. */
export const knownTags = endpoint({
  method: 'GET',
  path: '/v1/files/tags',
  needs: 'snapshots.see',
  failure: 'Unable to fetch tags',
  query: Known.extend({ search: z.string().max(mostTagLetters).optional() }),
  answer: z.array(z.string()),
})

/** The names of the reports that found something which is there on a day. */
export const knownReports = endpoint({
  method: 'GET',
  path: '/v1/files/reports',
  needs: 'snapshots.see',
  failure: 'Unable to get the list of reports.',
  query: Known,
  answer: z.array(z.string()),
})

const FileId = z.object({ id: z.string().regex(/^[0-9a-fA-F]{1,16}$/, 'must be a hexadecimal number') })

/**
 * Gives a file or folder exactly these tags, beside those that are hidden. The body may be the whole record, of which the
 * day of its scan is looked at and the rest ignored: what is scanned cannot be changed. Answers the record as it then is.
 */
export const updateEntry = endpoint({
  method: 'PUT',
  path: '/files/:id',
  needs: 'entries.tag',
  failure: 'Unable to update file',
  failureOfFolders: 'Unable to update folder',
  params: FileId,
  query: AtDate,
  body: z.looseObject({ customTag: Tags, isDirectory: z.boolean().default(false), ...AtDate.shape }),
  answer: Entry,
})

const Tagged = z.object({
  volumeId: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
  path: PathText.startsWith('/', 'must begin with /'),
  isDirectory: z.boolean(),
})
/** What names an entry of a selection: its volume, its path in it and its kind, as its record has them. */
export type Tagged = z.infer<typeof Tagged>

/** Which tags to add and which to remove. */
export type TagChange = { add: string[]; remove: string[] }

/** Adds and removes tags of a selection, all or nothing; what an entry has already, or has not, stays as it is. */
export const changeTags = endpoint({
  method: 'PUT',
  path: '/v1/files/tags',
  needs: 'entries.tag',
  failure: 'Unable to update file',
  failureOfFolders: 'Unable to update folder',
  query: AtDate,
  body: z
    .object({
      entries: z.array(Tagged).min(1, 'must name an entry').max(mostTaggedEntries),
      add: Tags.default([]),
      remove: Tags.default([]),
    })
    .refine(({ add, remove }) => add.length + remove.length > 0, { path: ['add'], error: 'must name a tag' })
    .refine(({ add, remove }) => !add.some((tag) => remove.includes(tag)), {
      path: ['remove'],
      error: 'must not name a tag that is added',
    }),
  /** How many of the entries changed. */
  answer: z.object({ changed: z.int() }),
})

const listOfTags = z.preprocess(
  (tags) => [tags ?? []].flat(),
  Tags.refine((tags) => tags.length > 0, 'is required'),
)
/** What the job that tags results is told beside the search; `everything` where the search has no filter. */
const Tagging = z.object({ isDirectory: Flag, deleteTag: Flag, tagToApply: listOfTags, everything: Flag })

/** What is said of `everything` where a search without a filter would tag all there is. */
export const everythingMessage = 'must be true where no filter is given, since all entries are tagged'

/**
 * Starts a job that gives tags to all results of a search, or takes them away; it goes on in the background. A search without
 * a filter is 400 unless `everything` says that it is meant.
 */
export const tagResults = endpoint({
  method: 'POST',
  path: '/v1/files/search/tags',
  needs: 'entries.tag',
  failure: 'Unable to update file',
  failureOfFolders: 'Unable to update folder',
  query: z.intersection(z.intersection(SearchFilters, AtDate), Tagging),
  answer: z.object({ jobId: z.int() }),
})

/** The same of what meets criteria, of files or of folders alone. */
export const tagByCriteria = endpoint({
  method: 'POST',
  path: '/v1/search/tags',
  needs: 'entries.tag',
  failure: 'Unable to update file',
  failureOfFolders: 'Unable to update folder',
  query: z.intersection(AtDate, Tagging),
  body: WrittenCriteria,
  answer: z.object({ jobId: z.int() }),
})
