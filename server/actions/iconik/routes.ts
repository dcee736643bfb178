import { iconikCollections, iconikStorages, uploadFiles, uploadResults } from '#events/actions/iconik.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { starter } from '../plans/starter.ts'
import { listCollections, listStorages } from './lists.ts'

/** The calls of the upload wizard, and those of the specification that start uploads. */
export const iconikRoutes = (platform: Platform) => {
  const start = starter(platform)
  return [
    route(iconikCollections, () => listCollections(platform)),
    route(iconikStorages, () => listStorages(platform)),
    route(uploadFiles, ({ body: payload }, by) => start({ jobType: 'ICONIK_UPLOAD', payload }, undefined, by)),
    route(uploadResults, ({ query, body: { dataIntellPaths: _, ...options } }, by) => {
      const { isDirectory, indexingDate, ...filters } = query
      const payload = { ...options, isDirectory, filters }
      return start({ jobType: 'ICONIK_UPLOAD_SEARCH_RESULT', payload }, indexingDate, by)
    }),
  ]
}
