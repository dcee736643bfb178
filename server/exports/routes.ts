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
    route(filesCsv, ({ query }, { gone }) => csv('files', byFilters(query), gone)),
    route(foldersCsv, ({ query }, { gone }) => csv('folders', byFilters(query), gone)),
    route(filesSpreadsheet, ({ query }, { gone }) => spreadsheet('files', byFilters(query), gone)),
    route(foldersSpreadsheet, ({ query }, { gone }) => spreadsheet('folders', byFilters(query), gone)),
    route(criteriaCsv, (input, { gone }) => csv(kindOf(input), byCriteria(input), gone)),
    route(criteriaSpreadsheet, (input, { gone }) => spreadsheet(kindOf(input), byCriteria(input), gone)),
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
