import { z } from 'zod'
import { WrittenCriteria } from './criteria.ts'
import { AtDate, Flag, endpoint } from '#events/contract/endpoint.ts'
import { PageQuery } from '#events/contract/page.ts'
import { SearchFilters } from './filters.ts'

const csv = 'text/csv'
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * The list of a search as a file, in its order; by size, largest first, unless told otherwise. It has the first so many
 * entries that `maxNumberOfFilesCsv` allows, and no pages: `page` and `size` are taken and mean nothing. While another
 * one is made it waits for half a minute, then it is refused with 503 and the code `exportBusy`.
 */
const Asked = z.intersection(z.intersection(SearchFilters, AtDate), PageQuery)

/** Text is UTF-8 with a byte order mark, moments are those of the server's time zone, what is unknown is an empty cell. */
export const filesCsv = endpoint({
  method: 'GET',
  path: '/files/search/csv',
  needs: 'snapshots.see',
  failure: 'Unable to download csv file',
  query: Asked,
  download: csv,
})

export const foldersCsv = endpoint({
  method: 'GET',
  path: '/files/search/folders/csv',
  needs: 'snapshots.see',
  failure: 'Unable to download csv file',
  query: Asked,
  download: csv,
})

export const filesSpreadsheet = endpoint({
  method: 'GET',
  path: '/files/search/xlsx',
  needs: 'snapshots.see',
  failure: 'Unable to download xlsx file',
  query: Asked,
  download: xlsx,
})

export const foldersSpreadsheet = endpoint({
  method: 'GET',
  path: '/files/search/folders/xlsx',
  needs: 'snapshots.see',
  failure: 'Unable to download xlsx file',
  query: Asked,
  download: xlsx,
})

/** What meets criteria as a file, of files or of folders alone; named, filled and limited as that of filters. */
const AskedByCriteria = z.intersection(z.intersection(z.object({ isDirectory: Flag }), AtDate), PageQuery)

export const criteriaCsv = endpoint({
  method: 'POST',
  path: '/v1/search/csv',
  needs: 'snapshots.see',
  failure: 'Unable to download csv file',
  query: AskedByCriteria,
  body: WrittenCriteria,
  download: csv,
})

export const criteriaSpreadsheet = endpoint({
  method: 'POST',
  path: '/v1/search/xlsx',
  needs: 'snapshots.see',
  failure: 'Unable to download xlsx file',
  query: AskedByCriteria,
  body: WrittenCriteria,
  download: xlsx,
})

/** How many entries a download has at most. */
export const downloadLimit = endpoint({
  method: 'GET',
  path: '/files/search/csv/limit',
  needs: 'snapshots.see',
  failure: 'Unable to fetch how many entries a download may have',
  answer: z.object({ entries: z.int() }),
})
