import type { Answer } from '#agent/actions/simulator/faults.ts'
import { answered } from '../answers.ts'
import type { Iconik, Role } from '../contents/iconik.ts'
import {
  createAsset,
  createFileSet,
  createFormat,
  deleteAsset,
  listFileSets,
  listFormats,
  readAsset,
} from './assets.ts'
import type { Call } from './call.ts'
import { addContent, collectionPath, listCollections, readCollection } from './collections.ts'
import { changeFile, createFile, createKeyframes, listFiles, readFile } from './files.ts'
import { changeJob, createJob, readJob } from './jobs.ts'
import { abortB2, cleanUp, endB2, listPartUrls, readMultipartUrl, signParts, startB2 } from './multipart.ts'
import { search } from './search.ts'
import {
  checkAccess,
  listStorageFiles,
  listStorages,
  readStorage,
  startScan,
  transferAssets,
  transferFileSet,
} from './storages.ts'

type Handler = (iconik: Iconik, call: Call) => Answer | Promise<Answer>

const file = 'files/v1/assets/:/files/:/'

/** Calls by their names in faults and records: method and path, role, handler. `:` is one segment of a path. */
const handlers: Record<string, [call: string, role: Role | undefined, handler: Handler]> = {
  'token.check': ['GET auth/v1/auth/token/', undefined, (_, { token }) => answered({ app_id: token.appId })],
  'roles.list': [
    'GET users/v1/users/current/roles/',
    undefined,
    (_, { token }) => answered({ objects: [...token.roles] }),
  ],
  'collections.list': ['GET assets/v1/collections/', 'can_read_collections', listCollections],
  'collections.read': ['GET assets/v1/collections/:/', 'can_read_collections', readCollection],
  'collections.path': ['GET assets/v1/collections/:/full/path/', 'can_read_collections', collectionPath],
  'collections.add': ['POST assets/v1/collections/:/contents/', 'can_write_collections', addContent],
  'storages.list': ['GET files/v1/storages/', 'can_read_storages', listStorages],
  'storages.read': ['GET files/v1/storages/:/', 'can_read_storages', readStorage],
  'storages.access': ['GET files/v1/storages/:/verifications/access/', 'can_read_storages', checkAccess],
  'storages.files': ['GET files/v1/storages/:/files/', 'can_read_storages', listStorageFiles],
  'storages.scan': ['POST files/v1/storages/:/scan/', 'can_scan_bucket', startScan],
  'storages.bulk': ['POST files/v1/storages/:/bulk/', 'can_write_files', transferAssets],
  'assets.create': ['POST assets/v1/assets/', 'can_create_assets', createAsset],
  'assets.read': ['GET assets/v1/assets/:/', 'can_read_assets', readAsset],
  'assets.delete': ['DELETE assets/v1/assets/:/', 'can_delete_assets', deleteAsset],
  'assets.deleteUpload': ['DELETE assets/v1/assets/:/uploads/', 'can_create_assets', deleteAsset],
  'formats.create': ['POST files/v1/assets/:/formats/', 'can_write_formats', createFormat],
  'formats.list': ['GET files/v1/assets/:/formats/', 'can_read_formats', listFormats],
  'fileSets.create': ['POST files/v1/assets/:/file_sets/', 'can_write_files', createFileSet],
  'fileSets.list': ['GET files/v1/assets/:/file_sets/', 'can_read_files', listFileSets],
  'fileSets.transfer': ['POST files/v1/file_sets/:/storages/:/', 'can_write_files', transferFileSet],
  'files.create': ['POST files/v1/assets/:/files/', 'can_write_files', createFile],
  'files.list': ['GET files/v1/assets/:/files/', 'can_read_files', listFiles],
  'files.read': [`GET ${file}`, 'can_read_files', readFile],
  'files.change': [`PATCH ${file}`, 'can_write_files', changeFile],
  'files.keyframes': [`POST ${file}keyframes/`, 'can_create_transcode_jobs', createKeyframes],
  'parts.list': [`GET ${file}multipart_url/part/`, 'can_write_files', listPartUrls],
  'parts.sign': [`POST ${file}multipart_url/s3/part/`, 'can_write_files', signParts],
  'parts.url': [`GET ${file}multipart_url/`, 'can_write_files', readMultipartUrl],
  'parts.cleanup': [`POST ${file}multipart/cleanup/`, 'can_write_files', cleanUp],
  'large.start': [`POST ${file}multipart/b2/start/`, 'can_write_files', startB2],
  'large.finish': [`POST ${file}multipart/b2/finish/`, 'can_write_files', endB2],
  'large.cancel': [`POST ${file}multipart/b2/cancel/`, 'can_write_files', abortB2],
  'jobs.create': ['POST jobs/v1/jobs/', 'can_write_jobs', createJob],
  'jobs.read': ['GET jobs/v1/jobs/:/', 'can_read_jobs', readJob],
  'jobs.change': ['PATCH jobs/v1/jobs/:/', 'can_write_jobs', changeJob],
  search: ['POST search/v1/search/', 'can_read_assets', search],
}

const routes = Object.entries(handlers).map(([name, [call, role, handler]]) => {
  const [method = '', path = ''] = call.split(' ')
  return { name, method, path, segments: path.split('/'), role, handler }
})

export type Route = (typeof routes)[number]

/** Route of a method and a path with its slash at the end, and the variable segments of the path. */
export function routeOf(method: string, path: string): { route: Route; params: string[] } | undefined {
  const segments = path.split('/')
  const route = routes.find((each) => {
    const isSame = each.segments.length === segments.length && each.method === method
    return (
      isSame && each.segments.every((segment, i) => (segment === ':' ? segments[i] !== '' : segment === segments[i]))
    )
  })
  return route && { route, params: segments.filter((_, i) => route.segments[i] === ':') }
}

/** A path that exists with any method. */
export const isKnownPath = (path: string): boolean =>
  ['GET', 'POST', 'PATCH', 'DELETE'].some((method) => routeOf(method, path) !== undefined)
