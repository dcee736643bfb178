import type { Input } from '#events/contract/endpoint.ts'
import {
  criteriaCsv,
  criteriaSpreadsheet,
  downloadLimit,
  filesCsv,
  filesSpreadsheet,
  foldersCsv,
  foldersSpreadsheet,
} from '#events/search/exports.ts'
import { configuredNumber } from '#server/access/configurations/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { openDownloads } from './downloads.ts'

export const exportRoutes = (platform: Platform) => {
  const { csv, spreadsheet } = openDownloads(platform)
  return [
    route(downloadLimit, async () => ({ entries: await configuredNumber(platform.db, 'maxNumberOfFilesCsv') })),
    route(filesCsv, ({ query }, { signal }) => csv(byFilters(query, false), signal)),
    route(foldersCsv, ({ query }, { signal }) => csv(byFilters(query, true), signal)),
    route(filesSpreadsheet, ({ query }, { signal }) => spreadsheet(byFilters(query, false), signal)),
    route(foldersSpreadsheet, ({ query }, { signal }) => spreadsheet(byFilters(query, true), signal)),
    route(criteriaCsv, (input, { signal }) => csv(byCriteria(input), signal)),
    route(criteriaSpreadsheet, (input, { signal }) => spreadsheet(byCriteria(input), signal)),
  ]
}

type ByFilters = Input<typeof filesCsv>['query']
const byFilters = ({ indexingDate, sort, direction, ...filters }: ByFilters, isDirectory: boolean) => ({
  search: { filters, isDirectory },
  indexingDate,
  sort,
  direction,
})

type ByCriteria = Pick<Input<typeof criteriaCsv>, 'query' | 'body'>
const byCriteria = ({ query: { isDirectory, ...query }, body: criteria }: ByCriteria) => ({
  ...query,
  search: { criteria, isDirectory },
})
