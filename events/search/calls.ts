import { z } from 'zod'
import { AsOf, AtTime, endpoint } from '#events/contract/endpoint.ts'
import { Cursor, EntryPage } from '#events/entries.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { IgnoredPage, PageQuery } from '#events/contract/page.ts'
import { BilledSize } from '#events/contract/sizeBasis.ts'
import { rangeFields } from './filterRanges.ts'
import { SearchFilters } from './filters.ts'

const SearchRequest = z.intersection(SearchFilters, AtTime)

/** A page of a search; `totals` requests those of all matches with it. */
export const SearchPageQuery = z.intersection(Cursor.extend({ totals: z.stringbool().default(false) }), PageQuery)
const PageRequest = z.intersection(SearchRequest, SearchPageQuery)

/**
 * Number and bytes of matching files or folders. `reclaimable` is the space freed by keeping one copy of each set among
 * the matches; only set for duplicates that are present. Hard links are counted once. `billedReclaimable` is to `reclaimable` what `billedSize` is
 * to `size`.
 */
export const Totals = z.object({
  count: z.number(),
  size: z.number(),
  billedSize: BilledSize,
  reclaimable: z.number().optional(),
  billedReclaimable: BilledSize,
})
export type Totals = z.infer<typeof Totals>

/** Totals as the answer of a call of their own. */
export const TotalsAtTime = Totals.extend(AsOf.shape)

/** A page of entries with the totals of the search, if they were requested. */
export const SearchPage = EntryPage.extend({ totals: Totals.optional() })
export type SearchPage = z.infer<typeof SearchPage>

/** Matching files, by default sorted by size, largest first. */
export const searchFiles = endpoint({
  method: 'GET',
  path: '/files/search',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to search the files',
  query: PageRequest,
  answer: SearchPage,
})

/** Matching folders, sorted in the same way. */
export const searchFolders = endpoint({
  method: 'GET',
  path: '/directories/search',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to search the folders',
  query: PageRequest,
  answer: SearchPage,
})

export const searchSizes = endpoint({
  method: 'GET',
  path: '/files/search/sizes',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the size of the search',
  /** `isDirectory` selects folders; their bytes are those of the files in them. */
  query: z.intersection(SearchRequest, IgnoredPage.extend({ isDirectory: z.stringbool().default(false) })),
  answer: TotalsAtTime,
})

export const dateIntervals = ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const
export type DateInterval = (typeof dateIntervals)[number]

/** Files in consecutive periods; `date` is the first day of the period. Weeks start on Monday. */
export const DatePoint = z.object({ date: z.string(), size: z.number(), count: z.number() })
export type DatePoint = z.infer<typeof DatePoint>

/** A date of files, and the unit and number of its periods. */
export const DatesQuery = z.object({
  dateField: z.enum(rangeFields('moment')).default('lastModified'),
  dateIntervalType: z.enum(dateIntervals).default('YEAR'),
  size: writtenInt(1, 400).default(13),
})

/**
 * The last `size` periods up to the end of the filter's own date range, or up to the indexing date. Oldest first,
 * including periods without files.
 */
export const searchDates = endpoint({
  method: 'GET',
  path: '/files/search/dates',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the dates of the search',
  query: z.intersection(SearchRequest, DatesQuery),
  answer: z.array(DatePoint),
})

export const groupingFields = ['storageName', 'extension', 'fileType', 'isDupe', 'group', 'owner'] as const

/** Values that were read from files. Resolutions are SD, HD, 4K and 8K; files without the value are left out. */
export const mediaGroupings = ['videoCodec', 'resolution', 'frameRate', 'camera', 'yearTaken'] as const
export type MediaGrouping = (typeof mediaGroupings)[number]

export const FieldTotals = Totals.extend({ field: z.string() })
export type FieldTotals = z.infer<typeof FieldTotals>

/** A field of files, and the maximum number of its values. Types of files are groups of extensions, see `fileTypes.ts`. */
export const FieldsQuery = z.object({
  fieldName: z.enum([...groupingFields, ...mediaGroupings]).default('extension'),
  size: writtenInt(1, 1000).default(50),
})

/** Files by the values of a field, largest first. */
export const searchFields = endpoint({
  method: 'GET',
  path: '/files/search/fields',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the fields of the search',
  query: z.intersection(SearchRequest, FieldsQuery),
  answer: z.array(FieldTotals),
})

const FileId = z.string().regex(/^[0-9a-fA-F]{1,16}$/, 'must be a hexadecimal number')
const Hash = z.object({ hash: FileId })
const CopiesPage = z.intersection(AtTime, z.intersection(Cursor, PageQuery))

/** `exceptFileId` excludes the file whose copies are requested. */
const Copies = z.intersection(CopiesPage, z.object({ exceptFileId: FileId.optional() }))

/** Copies of a file: all files with the same identification hash. */
export const filesByHash = endpoint({
  method: 'GET',
  path: '/files/hash/:hash',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the file',
  params: Hash,
  query: Copies,
  answer: EntryPage,
})

export const foldersByHash = endpoint({
  method: 'GET',
  path: '/directories/hash/:hash',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the folder',
  params: Hash,
  query: Copies,
  answer: EntryPage,
})
