import { z } from 'zod'
import { type Answer, answered } from '#agent/simulator/answers.ts'
import { created, emptyAnswer, ApiError } from '../answers.ts'
import { type Asset, type AssetFile, fileStatuses } from '../contents/assets.ts'
import { isOnGateway } from '../contents/gateway.ts'
import { find, findAsset, findFile } from '../contents/find.ts'
import type { Iconik } from '../contents/iconik.ts'
import { runJob } from '../contents/jobs.ts'
import type { Storage } from '../contents/storages.ts'
import { uploadAddresses } from '../uploads/addresses.ts'
import { requireFormat, versionOf } from './assets.ts'
import { bodyOf, type Call, queryOf, Uuid } from './call.ts'
import { IdParameters, listAfterId } from './paging.ts'

const NewFile = z.strictObject({
  original_name: z.string().min(1),
  directory_path: z.string(),
  type: z.enum(['FILE', 'DIRECTORY', 'SYMLINK']),
  name: z.string().optional(),
  size: z.int().min(0).optional(),
  status: z.enum(fileStatuses).optional(),
  storage_id: Uuid.optional(),
  file_set_id: Uuid.optional(),
  format_id: Uuid.optional(),
  version_id: Uuid.optional(),
  file_date_created: z.iso.datetime({ offset: true }).optional(),
  file_date_modified: z.iso.datetime({ offset: true }).optional(),
  checksum: z.string().optional(),
})

/** `POST files/v1/assets/{asset}/files/`. Files of cloud storages have upload addresses in the answer. */
export function createFile(iconik: Iconik, call: Call): Answer {
  const asset = findAsset(iconik, call.params[0] ?? '')
  const values = bodyOf(call, NewFile)
  const storage = writableStorage(iconik, values.storage_id)
  requireFormat(asset, values.format_id)
  if (values.file_set_id !== undefined && !asset.fileSets.some(({ id }) => id === values.file_set_id))
    throw new ApiError(404, `File set ${values.file_set_id} does not exist`)
  const file = newFile(iconik, asset, values, storage)
  asset.files.push(file)
  return created({ ...shownFile(file), ...uploadAddresses(iconik, file) })
}

function newFile(
  iconik: Iconik,
  asset: Asset,
  values: z.infer<typeof NewFile>,
  storage: Storage | undefined,
): AssetFile {
  const id = iconik.newId()
  const given = values.name ?? values.original_name
  const hasPrefix = values.name === undefined && (storage?.settings.add_uuid_to_filenames ?? true)
  return {
    id,
    assetId: asset.id,
    name: hasPrefix ? `${id}_${given}` : given,
    originalName: values.original_name,
    directoryPath: values.directory_path,
    type: values.type,
    status: statusOf(iconik, values.status, storage),
    size: values.size,
    progress: 0,
    checksum: values.checksum,
    createdDate: values.file_date_created,
    modifiedDate: values.file_date_modified,
    storage,
    formatId: values.format_id,
    fileSetId: values.file_set_id,
    versionId: versionOf(asset, values.version_id),
    isFromGateway: false,
    stored: undefined,
    uploadCount: 0,
  }
}

function statusOf({ readings }: Iconik, status: AssetFile['status'] = 'OPEN', storage: Storage | undefined) {
  if (status !== 'CLOSED' || storage?.method === 'FILE' || readings.closedOnCreation === 'kept') return status
  if (readings.closedOnCreation === 'open') return 'OPEN'
  throw new ApiError(400, { status: 'A file can be created as CLOSED on storages of the method FILE only.' })
}

function writableStorage({ storages }: Iconik, id: string | undefined): Storage | undefined {
  if (id === undefined) return undefined
  const storage = find(storages, id, 'Storage')
  if (!storage.isAllowed) throw new ApiError(403, `No write access to storage ${storage.name}`)
  if (!storage.settings.write) throw new ApiError(403, `Storage ${storage.name} is not writable`)
  if (storage.status === 'INACTIVE') throw new ApiError(400, `Storage ${storage.name} is not active`)
  return storage
}

/** `GET files/v1/assets/{asset}/files/`. */
export function listFiles(iconik: Iconik, call: Call): Answer {
  const { files } = findAsset(iconik, call.params[0] ?? '')
  const present = files.filter(({ status }) => status !== 'DELETED')
  return listAfterId(iconik, queryOf(call, z.strictObject(IdParameters)), present.map(shownFile))
}

/** `GET files/v1/assets/{asset}/files/{file}/`. */
export function readFile(iconik: Iconik, { params: [assetId = '', id = ''] }: Call): Answer {
  const file = findFile(iconik, assetId, id)
  const isShown = file.status === 'OPEN' && iconik.readings.fileShowsUploadUrl
  return answered({ ...shownFile(file), ...(isShown ? uploadAddresses(iconik, file) : {}) })
}

const FileChanges = z.strictObject({
  status: z.enum(fileStatuses).optional(),
  progress_processed: z.int().min(0).max(100).optional(),
  size: z.int().min(0).optional(),
  checksum: z.string().optional(),
})

/** `PATCH files/v1/assets/{asset}/files/{file}/`. A file without bytes can be closed too. */
export function changeFile(iconik: Iconik, call: Call): Answer {
  const file = findFile(iconik, call.params[0] ?? '', call.params[1] ?? '')
  const {
    status = file.status,
    progress_processed,
    size = file.size,
    checksum = file.checksum,
  } = bodyOf(call, FileChanges)
  const isEmpty = size === 0 && !file.stored && file.storage?.method !== 'FILE'
  if (status === 'CLOSED' && isEmpty && !iconik.readings.closesEmptyFiles)
    throw new ApiError(400, { status: 'The file has no content.' })
  Object.assign(file, { status, size, checksum, progress: progress_processed ?? file.progress })
  return answered(shownFile(file))
}

const Keyframes = z.strictObject({
  priority: z.int().min(1).max(10).optional(),
  use_storage_transcode_ignore_pattern: z.boolean().default(true),
})

/** `POST files/v1/assets/{asset}/files/{file}/keyframes/`. Its job fails for a file that is not closed, or without content. */
export function createKeyframes(iconik: Iconik, call: Call): Answer {
  const file = findFile(iconik, call.params[0] ?? '', call.params[1] ?? '')
  const { use_storage_transcode_ignore_pattern: usesPattern } = bodyOf(call, Keyframes)
  if (usesPattern && file.storage?.ignorePattern?.test(file.originalName)) return emptyAnswer(204)
  const title = `Keyframes of ${file.originalName}`
  const job = runJob(iconik, { title, type: 'TRANSCODE', objectId: file.assetId }, () => {
    const hasContent = file.stored !== undefined || file.storage?.folder === undefined || isOnGateway(file)
    const isReadable = file.storage?.method === 'FILE' ? hasContent : file.stored !== undefined
    return file.status === 'CLOSED' && isReadable ? 'FINISHED' : 'FAILED'
  })
  return answered({ job_id: job.id })
}

export const shownFile = (file: AssetFile) => ({
  id: file.id,
  asset_id: file.assetId,
  name: file.name,
  original_name: file.originalName,
  directory_path: file.directoryPath,
  type: file.type,
  status: file.status,
  size: file.size ?? null,
  progress_processed: file.progress,
  checksum: file.checksum ?? null,
  storage_id: file.storage?.id ?? null,
  storage_method: file.storage?.method ?? null,
  format_id: file.formatId ?? null,
  file_set_id: file.fileSetId ?? null,
  version_id: file.versionId,
  file_date_created: file.createdDate ?? null,
  file_date_modified: file.modifiedDate ?? null,
})
