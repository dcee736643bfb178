import { type Answer, answered } from '#agent/simulator/answers.ts'
import { newRoutes } from '#agent/simulator/routes.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { ApiError, emptyAnswer } from './answers.ts'
import * as assets from './assets.ts'
import type { Call } from './call.ts'
import type { Iconik } from './contents.ts'
import * as lists from './lists.ts'
import type { Role } from './options.ts'
import { cleanUp, endB2, listPartUrls, readMultipartUrl, startB2 } from './uploads/multipart.ts'

/** Name of a call in faults and records, the role that it needs, and its work. */
type Route = [name: string, role: Role | undefined, handle: (iconik: Iconik, call: Call) => Answer | Promise<Answer>]

const ofAsset = 'files/v1/assets/:/'
const ofFile = `${ofAsset}files/:/`

const routes = newRoutes<Route>({
  'GET users/v1/users/current/roles/': ['roles.list', undefined, (_, { roles }) => answered({ objects: [...roles] })],
  'GET assets/v1/collections/': ['collections.list', 'can_read_collections', lists.listCollections],
  'GET assets/v1/collections/:/': ['collections.read', 'can_read_collections', lists.readCollection],
  'GET assets/v1/collections/:/full/path/': ['collections.path', 'can_read_collections', lists.collectionPath],
  'POST assets/v1/collections/:/contents/': ['collections.add', 'can_write_collections', lists.addContent],
  'GET files/v1/storages/': ['storages.list', 'can_read_storages', lists.listStorages],
  'GET files/v1/storages/:/': ['storages.read', 'can_read_storages', lists.readStorage],
  'GET files/v1/storages/:/verifications/access/': ['storages.access', 'can_read_storages', lists.checkAccess],
  'GET files/v1/storages/:/files/': ['storages.files', 'can_read_storages', lists.listStorageFiles],
  'POST search/v1/search/': ['search', 'can_read_assets', lists.search],
  'POST assets/v1/assets/': ['assets.create', 'can_create_assets', assets.createAsset],
  'GET assets/v1/assets/:/': ['assets.read', 'can_read_assets', assets.readAsset],
  'DELETE assets/v1/assets/:/uploads/': ['assets.deleteUpload', 'can_create_assets', assets.deleteAsset],
  [`POST ${ofAsset}formats/`]: ['formats.create', 'can_write_formats', assets.createFormat],
  [`GET ${ofAsset}formats/`]: ['formats.list', 'can_read_formats', assets.listOf('formats')],
  [`POST ${ofAsset}file_sets/`]: ['fileSets.create', 'can_write_files', assets.createFileSet],
  [`GET ${ofAsset}file_sets/`]: ['fileSets.list', 'can_read_files', assets.listOf('fileSets')],
  [`POST ${ofAsset}files/`]: ['files.create', 'can_write_files', assets.createFile],
  [`GET ${ofAsset}files/`]: ['files.list', 'can_read_files', assets.listFiles],
  [`GET ${ofFile}`]: ['files.read', 'can_read_files', assets.readFile],
  [`PATCH ${ofFile}`]: ['files.change', 'can_write_files', assets.changeFile],
  [`POST ${ofFile}keyframes/`]: ['files.keyframes', 'can_create_transcode_jobs', assets.createKeyframes],
  [`GET ${ofFile}multipart_url/part/`]: ['parts.list', 'can_write_files', listPartUrls],
  [`GET ${ofFile}multipart_url/`]: ['parts.url', 'can_write_files', readMultipartUrl],
  [`POST ${ofFile}multipart/cleanup/`]: ['parts.cleanup', 'can_write_files', cleanUp],
  [`POST ${ofFile}multipart/b2/start/`]: ['large.start', 'can_write_files', startB2],
  [`POST ${ofFile}multipart/b2/finish/`]: ['large.finish', 'can_write_files', endB2],
})

/** Name of a call in faults and records. Unknown calls have their method and path. */
export const nameOf = ({ method, path }: Pick<SimulatedRequest, 'method' | 'path'>): string =>
  routes.find(method, path)?.route[0] ?? `${method} ${path}`

/** Answers a call. A path without its last slash is redirected. */
export async function answerCall(iconik: Iconik, request: SimulatedRequest): Promise<Answer> {
  try {
    return await handled(iconik, request)
  } catch (error) {
    if (error instanceof ApiError) return error.answer(iconik.behavior)
    throw error
  }
}

async function handled(iconik: Iconik, request: SimulatedRequest): Promise<Answer> {
  const { method, path, query, headers } = request
  if (!path.endsWith('/') && routes.hasPath(`${path}/`))
    return emptyAnswer(301, { location: `/API/${path}/${query.size === 0 ? '' : `?${query}`}` })
  const token = iconik.tokens.get(String(headers['auth-token']))
  if (!token || token.isRevoked || token.appId !== headers['app-id'])
    throw new ApiError(401, 'Invalid or expired token')
  const found = routes.find(method, path)
  if (!found)
    throw routes.hasPath(path) ? new ApiError(405, `${method} is not allowed`) : new ApiError(404, 'Not found')
  const [, role, handle] = found.route
  if (role !== undefined && !token.roles.has(role))
    throw new ApiError(403, `The role ${role} is required for ${found.name}`)
  return handle(iconik, { ...request, params: found.params, userId: token.userId, roles: token.roles })
}
