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
import { configuredNumber } from '#server/configurations/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { openDownloads } from './downloads.ts'

export const exportRoutes = (platform: Platform) => {
  const { csv, spreadsheet } = openDownloads(platform)
  return [
    route(downloadLimit, async () => ({ entries: await configuredNumber(platform.db, 'maxNumberOfFilesCsv') })),
    route(filesCsv, ({ query }, { signal }) => csv('files', byFilters(query), signal)),
    route(foldersCsv, ({ query }, { signal }) => csv('folders', byFilters(query), signal)),
    route(filesSpreadsheet, ({ query }, { signal }) => spreadsheet('files', byFilters(query), signal)),
    route(foldersSpreadsheet, ({ query }, { signal }) => spreadsheet('folders', byFilters(query), signal)),
    route(criteriaCsv, (input, { signal }) => csv(kindOf(input), byCriteria(input), signal)),
    route(criteriaSpreadsheet, (input, { signal }) => spreadsheet(kindOf(input), byCriteria(input), signal)),
  ]
}

const byFilters = ({ indexingDate, sort, direction, ...filters }: Input<typeof filesCsv>['query']) => ({
  searched: { filters },
  indexingDate,
  sort,
  direction,
})

type ByCriteria = Input<typeof criteriaCsv>
const byCriteria = ({ query, body }: ByCriteria) => ({ ...query, searched: { criteria: body } })
const kindOf = ({ query }: ByCriteria) => (query.isDirectory ? 'folders' : 'files')
