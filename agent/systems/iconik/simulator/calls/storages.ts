import { z } from 'zod'
import { type Answer, answered } from '#agent/simulator/answers.ts'
import { created, ApiError } from '../answers.ts'
import { filesOf, pathOf } from '../contents/assets.ts'
import { scanStorage } from '../contents/gateway.ts'
import { find, findAsset } from '../contents/find.ts'
import type { Iconik } from '../contents/iconik.ts'
import { runJob } from '../contents/jobs.ts'
import { type Storage, storageMethods, storagePurposes, storageStatuses } from '../contents/storages.ts'
import { bodyOf, type Call, queryOf, Uuid } from './call.ts'
import { shownFile } from './files.ts'
import { pageOf, PageParameters, ScrollParameters, sortedBy } from './paging.ts'

const ListQuery = z.strictObject({
  ...PageParameters,
  id: Uuid.optional(),
  ids: z.string().optional(),
  name: z.string().optional(),
  method: z.enum(storageMethods).optional(),
  status: z.enum(storageStatuses).optional(),
  purpose: z.enum(storagePurposes).optional(),
  query: z.string().optional(),
})

/** `GET files/v1/storages/`. */
export function listStorages(iconik: Iconik, call: Call): Answer {
  const { sort, page, per_page, ids, query, ...exact } = queryOf(call, ListQuery)
  const matching = [...iconik.storages.values()].filter(
    (storage) =>
      Object.entries(exact).every(([name, value]) => storage[name as keyof typeof exact] === value) &&
      (ids === undefined || ids.split(',').includes(storage.id)) &&
      (query === undefined || storage.name.toLowerCase().includes(query.toLowerCase())),
  )
  return pageOf(iconik, call, { page, per_page }, sortedBy(matching.map(shownStorage), sort, ['name']), limits(iconik))
}

const limits = ({ readings }: Iconik) => ({ maxPerPage: 100, pastLastPage: readings.pastLastPage })

/** `GET files/v1/storages/{id}/`. */
export const readStorage = (iconik: Iconik, call: Call): Answer => answered(shownStorage(storageOf(iconik, call)))

/** `GET files/v1/storages/{id}/verifications/access/`. */
export function checkAccess(iconik: Iconik, call: Call): Answer {
  const { accessError } = storageOf(iconik, call)
  return answered({ access_check: accessError === undefined, error_message: accessError ?? null })
}

const FilesQuery = z.strictObject({
  ...ScrollParameters,
  path: z.string().optional(),
  directory_path: z.string().optional(),
})

/** `GET files/v1/storages/{id}/files/`. A slash at the end of a directory does not matter. */
export function listStorageFiles(iconik: Iconik, call: Call): Answer {
  const storage = storageOf(iconik, call)
  const { path, directory_path: directory, sort, ...paging } = queryOf(call, FilesQuery)
  const isAt = (found: string) =>
    path === undefined || (iconik.readings.pathFilter === 'whole' ? found === path : found.startsWith(path))
  const matching = filesOf(iconik).filter(
    (file) =>
      file.storage === storage &&
      isAt(pathOf(file)) &&
      (directory === undefined || file.directoryPath.replace(/\/+$/, '') === directory.replace(/\/+$/, '')),
  )
  return pageOf(iconik, call, paging, sortedBy(matching.map(shownFile), sort, ['name', 'date_created']), limits(iconik))
}

const Scan = z.strictObject({ paths: z.array(z.string()).default([]), files: z.array(z.string()).default([]) })

/** `POST files/v1/storages/{id}/scan/`: the gateway scans at its next interval. */
export function startScan(iconik: Iconik, call: Call): Answer {
  const storage = storageOf(iconik, call)
  const { paths, files } = bodyOf(call, Scan)
  if (storage.method !== 'FILE') throw new ApiError(400, `Storage ${storage.name} has no gateway`)
  const { scan_interval_seconds: seconds = 5 } = storage.settings
  iconik.clock.after(seconds * 1_000, () => scanStorage(iconik, storage, [...paths, ...files]))
  return created({ job_id: null })
}

/** `POST files/v1/file_sets/{set}/storages/{storage}/`: a transfer. */
export function transferFileSet(iconik: Iconik, { params: [setId = '', storageId = ''] }: Call): Answer {
  const storage = find(iconik.storages, storageId, 'Storage')
  const asset = [...iconik.assets.values()].find(({ fileSets }) => fileSets.some(({ id }) => id === setId))
  const fileSet = asset?.fileSets.find(({ id }) => id === setId)
  if (!asset || !fileSet) throw new ApiError(404, `File set ${setId} does not exist`)
  if (fileSet.storageId === storage.id || fileSet.copies.includes(storage.id))
    throw new ApiError(409, `File set ${setId} is already on storage ${storage.name}`)
  const job = runJob(iconik, { title: `Transfer ${asset.title}`, type: 'TRANSFER', objectId: asset.id }, () => {
    fileSet.copies.push(storage.id)
    return 'FINISHED'
  })
  return answered({ job_id: job.id }, 202)
}

const Bulk = z.strictObject({ object_ids: z.array(Uuid).min(1), object_type: z.enum(['assets']) })

/** `POST files/v1/storages/{id}/bulk/`: a transfer of all file sets of some assets. */
export function transferAssets(iconik: Iconik, call: Call): Answer {
  const storage = storageOf(iconik, call)
  const assets = bodyOf(call, Bulk).object_ids.map((id) => findAsset(iconik, id))
  const title = `Transfer ${assets.length} assets`
  const job = runJob(iconik, { title, type: 'TRANSFER', objectId: assets[0]?.id }, () => {
    for (const { copies } of assets.flatMap(({ fileSets }) => fileSets)) copies.push(storage.id)
    return 'FINISHED'
  })
  return answered({ job_id: job.id }, 202)
}

const storageOf = ({ storages }: Iconik, { params: [id = ''] }: Call): Storage => find(storages, id, 'Storage')

const shownStorage = (storage: Storage) => ({
  id: storage.id,
  name: storage.name,
  method: storage.method,
  purpose: storage.purpose,
  status: storage.status,
  status_message: storage.statusMessage ?? null,
  settings: storage.settings,
  scanner_status: storage.settings.scan ? 'ACTIVE' : 'INACTIVE',
  last_scanned: storage.lastScanned ?? null,
  isg_version: storage.method === 'FILE' ? '4.6.2' : null,
})
