import { type Answer, answered } from '#agent/simulator/answers.ts'
import { newRoutes } from '#agent/simulator/routes.ts'
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

/** A call: its name in faults and records, and the role that it needs. */
export type Route = {
  name: string
  role: Role | undefined
  handle: (iconik: Iconik, call: Call) => Answer | Promise<Answer>
}

const route = (name: string, role: Role | undefined, handle: Route['handle']): Route => ({ name, role, handle })

const file = 'files/v1/assets/:/files/:/'

/** Calls by method and path. `:` is one segment of a path. */
export const routes = newRoutes<Route>({
  'GET auth/v1/auth/token/': route('token.check', undefined, (_, { token }) => answered({ app_id: token.appId })),
  'GET users/v1/users/current/roles/': route('roles.list', undefined, (_, { token }) =>
    answered({ objects: [...token.roles] }),
  ),
  'GET assets/v1/collections/': route('collections.list', 'can_read_collections', listCollections),
  'GET assets/v1/collections/:/': route('collections.read', 'can_read_collections', readCollection),
  'GET assets/v1/collections/:/full/path/': route('collections.path', 'can_read_collections', collectionPath),
  'POST assets/v1/collections/:/contents/': route('collections.add', 'can_write_collections', addContent),
  'GET files/v1/storages/': route('storages.list', 'can_read_storages', listStorages),
  'GET files/v1/storages/:/': route('storages.read', 'can_read_storages', readStorage),
  'GET files/v1/storages/:/verifications/access/': route('storages.access', 'can_read_storages', checkAccess),
  'GET files/v1/storages/:/files/': route('storages.files', 'can_read_storages', listStorageFiles),
  'POST files/v1/storages/:/scan/': route('storages.scan', 'can_scan_bucket', startScan),
  'POST files/v1/storages/:/bulk/': route('storages.bulk', 'can_write_files', transferAssets),
  'POST assets/v1/assets/': route('assets.create', 'can_create_assets', createAsset),
  'GET assets/v1/assets/:/': route('assets.read', 'can_read_assets', readAsset),
  'DELETE assets/v1/assets/:/': route('assets.delete', 'can_delete_assets', deleteAsset),
  'DELETE assets/v1/assets/:/uploads/': route('assets.deleteUpload', 'can_create_assets', deleteAsset),
  'POST files/v1/assets/:/formats/': route('formats.create', 'can_write_formats', createFormat),
  'GET files/v1/assets/:/formats/': route('formats.list', 'can_read_formats', listFormats),
  'POST files/v1/assets/:/file_sets/': route('fileSets.create', 'can_write_files', createFileSet),
  'GET files/v1/assets/:/file_sets/': route('fileSets.list', 'can_read_files', listFileSets),
  'POST files/v1/file_sets/:/storages/:/': route('fileSets.transfer', 'can_write_files', transferFileSet),
  'POST files/v1/assets/:/files/': route('files.create', 'can_write_files', createFile),
  'GET files/v1/assets/:/files/': route('files.list', 'can_read_files', listFiles),
  [`GET ${file}`]: route('files.read', 'can_read_files', readFile),
  [`PATCH ${file}`]: route('files.change', 'can_write_files', changeFile),
  [`POST ${file}keyframes/`]: route('files.keyframes', 'can_create_transcode_jobs', createKeyframes),
  [`GET ${file}multipart_url/part/`]: route('parts.list', 'can_write_files', listPartUrls),
  [`POST ${file}multipart_url/s3/part/`]: route('parts.sign', 'can_write_files', signParts),
  [`GET ${file}multipart_url/`]: route('parts.url', 'can_write_files', readMultipartUrl),
  [`POST ${file}multipart/cleanup/`]: route('parts.cleanup', 'can_write_files', cleanUp),
  [`POST ${file}multipart/b2/start/`]: route('large.start', 'can_write_files', startB2),
  [`POST ${file}multipart/b2/finish/`]: route('large.finish', 'can_write_files', endB2),
  [`POST ${file}multipart/b2/cancel/`]: route('large.cancel', 'can_write_files', abortB2),
  'POST jobs/v1/jobs/': route('jobs.create', 'can_write_jobs', createJob),
  'GET jobs/v1/jobs/:/': route('jobs.read', 'can_read_jobs', readJob),
  'PATCH jobs/v1/jobs/:/': route('jobs.change', 'can_write_jobs', changeJob),
  'POST search/v1/search/': route('search', 'can_read_assets', search),
})
