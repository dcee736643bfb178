import {
  transferFiles,
  transferFolders,
  transferOptions,
  transferResults,
  transferStorages,
} from '#events/actions/transfers.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { starter } from '../plans/starter.ts'
import { listFolders, listStorages, movesDeletedBy } from './lists.ts'

/** The calls of the transfer wizard, and those of the specification that start transfers. */
export const transferRoutes = (platform: Platform) => {
  const start = starter(platform)
  return [
    route(transferStorages, () => listStorages(platform)),
    route(transferFolders, ({ params, query }) => listFolders(platform, params.storageId, query.path)),
    route(transferOptions, async () => ({ movesDeletedBy: await movesDeletedBy(platform) })),
    route(transferFiles, ({ body }, by) => {
      const sources = body.sources.map(({ name, path, fullPath, storageId, isDirectory }) => {
        return { name, path: fullPath ?? path, storageId, isDirectory }
      })
      const payload = { ...body, name: body.name ?? '', sources }
      return start({ jobType: 'SODA_TRANSFER', payload }, undefined, by)
    }),
    route(transferResults, ({ query, body: { sources: _, ...options } }, by) => {
      const { isDirectory, indexingDate, ...filters } = query
      const payload = { ...options, name: options.name ?? '', isDirectory, filters }
      return start({ jobType: 'SODA_TRANSFER_SEARCH_RESULT', payload }, indexingDate, by)
    }),
  ]
}
