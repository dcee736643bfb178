import { z } from 'zod'
import { AtDate, endpoint } from './endpoint.ts'
import { Cursor, EntryPage } from './entries.ts'
import { writtenInt } from './numbers.ts'
import { PageQuery } from './page.ts'
import { SearchFilters } from './search-filters.ts'

const Asked = z.intersection(SearchFilters, AtDate)
const AskedPage = z.intersection(Asked, z.intersection(Cursor, PageQuery))

/** Files that match; sorted by size, largest first, unless told otherwise. */
export const searchFiles = endpoint({
  method: 'GET',
  path: '/files/search',
  needs: 'snapshots.see',
  failure: 'Unable to search the files',
  query: AskedPage,
  answer: EntryPage,
})

/** Folders that match, likewise. */
export const searchFolders = endpoint({
  method: 'GET',
  path: '/directories/search',
  needs: 'snapshots.see',
  failure: 'Unable to search the folders',
  query: AskedPage,
  answer: EntryPage,
})

/** How many files match, and their bytes. */
export const Totals = z.object({ count: z.number(), size: z.number() })
export type Totals = z.infer<typeof Totals>

export const searchSizes = endpoint({
  method: 'GET',
  path: '/files/search/sizes',
  needs: 'snapshots.see',
  failure: 'Unable to get the size of the search',
  query: Asked,
  answer: Totals,
})

export const dateFields = ['creationDate', 'lastAccess', 'lastModified', 'backupDate'] as const
export const dateIntervals = ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const
export type DateInterval = (typeof dateIntervals)[number]

/** Files in consecutive periods; `date` is the first day of one, weeks begin on Monday. */
export const DatePoint = z.object({ date: z.string(), size: z.number(), count: z.number() })
export type DatePoint = z.infer<typeof DatePoint>

/**
 * The last `size` periods up to the filter's own end of the asked dates, or up to the indexing date. Oldest first, also
 * those without files.
 */
export const searchDates = endpoint({
  method: 'GET',
  path: '/files/search/dates',
  needs: 'snapshots.see',
  failure: 'Unable to get the dates of the search',
  query: z.intersection(
    Asked,
    z.object({
      dateField: z.enum(dateFields).default('lastModified'),
      dateIntervalType: z.enum(dateIntervals).default('YEAR'),
      size: writtenInt(1, 400).default(13),
    }),
  ),
  answer: z.array(DatePoint),
})

export const groupingFields = ['storageName', 'extension', 'isDupe', 'group', 'owner'] as const

export const FieldTotals = z.object({ field: z.string(), size: z.number(), count: z.number() })
export type FieldTotals = z.infer<typeof FieldTotals>

/** Files by a field, largest first. */
export const searchFields = endpoint({
  method: 'GET',
  path: '/files/search/fields',
  needs: 'snapshots.see',
  failure: 'Unable to get the fields of the search',
  query: z.intersection(
    Asked,
    z.object({
      fieldName: z.enum(groupingFields).default('extension'),
      size: writtenInt(1, 1000).default(50),
    }),
  ),
  answer: z.array(FieldTotals),
})

const Hash = z.object({ hash: z.string().regex(/^[0-9a-fA-F]{1,16}$/, 'must be a hexadecimal number') })
const CopiesPage = z.intersection(AtDate, z.intersection(Cursor, PageQuery))

/** The copies of a file: all that share an identification hash. */
export const filesByHash = endpoint({
  method: 'GET',
  path: '/files/hash/:hash',
  needs: 'snapshots.see',
  failure: 'Unable to get the file',
  params: Hash,
  query: CopiesPage,
  answer: EntryPage,
})

export const foldersByHash = endpoint({
  method: 'GET',
  path: '/directories/hash/:hash',
  needs: 'snapshots.see',
  failure: 'Unable to get the folder',
  params: Hash,
  query: CopiesPage,
  answer: EntryPage,
})
