import { downloadLimit, filesCsv, filesSpreadsheet, foldersCsv, foldersSpreadsheet } from '#events/exports.ts'
import { configuredNumber } from '#server/configurations/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { openDownloads } from './downloads.ts'

export const exportRoutes = (platform: Platform) => {
  const { csv, spreadsheet } = openDownloads(platform)
  return [
    route(downloadLimit, async () => ({ entries: await configuredNumber(platform.db, 'maxNumberOfFilesCsv') })),
    route(filesCsv, ({ query }, { gone }) => csv('files', query, gone)),
    route(foldersCsv, ({ query }, { gone }) => csv('folders', query, gone)),
    route(filesSpreadsheet, ({ query }, { gone }) => spreadsheet('files', query, gone)),
    route(foldersSpreadsheet, ({ query }, { gone }) => spreadsheet('folders', query, gone)),
  ]
}
