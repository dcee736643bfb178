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
    route(filesCsv, ({ query }, caller) => csv(byFilters(query, false), caller)),
    route(foldersCsv, ({ query }, caller) => csv(byFilters(query, true), caller)),
    route(filesSpreadsheet, ({ query }, caller) => spreadsheet(byFilters(query, false), caller)),
    route(foldersSpreadsheet, ({ query }, caller) => spreadsheet(byFilters(query, true), caller)),
    route(criteriaCsv, (input, caller) => csv(byCriteria(input), caller)),
    route(criteriaSpreadsheet, (input, caller) => spreadsheet(byCriteria(input), caller)),
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
