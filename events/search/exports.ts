import { z } from 'zod'
import { WrittenCriteria } from './criteria.ts'
import { AtTime, Flag, endpoint } from '#events/contract/endpoint.ts'
import { PageQuery } from '#events/contract/page.ts'
import { SearchFilters } from './filters.ts'

const csv = 'text/csv'
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * A search as a file, by default sorted by size, largest first. Contains up to `maxNumberOfFilesCsv` entries; `page`
 * and `size` are accepted but ignored. Waits up to half a minute for another export, then fails with 503 and the code
 * `exportBusy`.
 */
const ExportRequest = z.intersection(z.intersection(SearchFilters, AtTime), PageQuery)

/** UTF-8 text with a byte order mark. Times are in the server's time zone; unknown values are empty cells. */
export const filesCsv = endpoint({
  method: 'GET',
  path: '/files/search/csv',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to download csv file',
  query: ExportRequest,
  download: csv,
})

export const foldersCsv = endpoint({
  method: 'GET',
  path: '/files/search/folders/csv',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to download csv file',
  query: ExportRequest,
  download: csv,
})

export const filesSpreadsheet = endpoint({
  method: 'GET',
  path: '/files/search/xlsx',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to download xlsx file',
  query: ExportRequest,
  download: xlsx,
})

export const foldersSpreadsheet = endpoint({
  method: 'GET',
  path: '/files/search/folders/xlsx',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to download xlsx file',
  query: ExportRequest,
  download: xlsx,
})

/** Matches of criteria as a file, either files or folders, with the same names, content and limits. */
const CriteriaExport = z.intersection(z.intersection(z.object({ isDirectory: Flag }), AtTime), PageQuery)

export const criteriaCsv = endpoint({
  method: 'POST',
  path: '/v1/search/csv',
  isReading: true,
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to download csv file',
  query: CriteriaExport,
  body: WrittenCriteria,
  download: csv,
})

export const criteriaSpreadsheet = endpoint({
  method: 'POST',
  path: '/v1/search/xlsx',
  isReading: true,
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to download xlsx file',
  query: CriteriaExport,
  body: WrittenCriteria,
  download: xlsx,
})

/** Maximum number of entries in a download. */
export const downloadLimit = endpoint({
  method: 'GET',
  path: '/files/search/csv/limit',
  needs: 'snapshots.see',
  limitedBy: { nothing: 'a setting' },
  failure: 'Unable to fetch how many entries a download may have',
  answer: z.object({ entries: z.int() }),
})
