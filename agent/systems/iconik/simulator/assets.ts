import { z } from 'zod'
import { type Answer, answered } from '#agent/simulator/answers.ts'
import { ApiError, created, emptyAnswer } from './answers.ts'
import { bodyOf, type Call, Flag, listAfterId, queryOf, Uuid } from './call.ts'
import {
  addAsset,
  type Asset,
  type AssetFile,
  fileStatuses,
  find,
  findAsset,
  findFile,
  type Iconik,
  newFile,
  type Storage,
  storageMethods,
} from './contents.ts'
import { isOnGateway } from './storages.ts'
import { uploadAddresses } from './uploads/addresses.ts'

const CreateQuery = z.strictObject({
  apply_default_acls: Flag.default(true),
  apply_collection_acls: Flag.default(false),
  assign_to_collection: Flag.default(false),
})

const NewAsset = z.strictObject({
  title: z.string().min(1),
  type: z.enum(['ASSET']).default('ASSET'),
  collection_id: Uuid.optional(),
  external_id: z.string().optional(),
})

/** `POST assets/v1/assets/`. Equal ones are created again. */
export function createAsset(iconik: Iconik, call: Call): Answer {
  const query = queryOf(call, CreateQuery)
  const { title, collection_id: collectionId, external_id: externalId } = bodyOf(call, NewAsset)
  const collection = collectionId === undefined ? undefined : find(iconik.collections, collectionId, 'Collection')
  if (!collection && query.assign_to_collection)
    throw new ApiError(400, { collection_id: 'Missing data for required field.' })
  const acls = {
    default: query.apply_default_acls,
    collection: query.apply_collection_acls && collection !== undefined,
  }
  const asset = addAsset(iconik, { title, externalId, createdByUser: call.userId, acls })
  if (query.assign_to_collection) collection?.contents.push(asset.id)
  return created(shownAsset(iconik, asset))
}

/** `GET assets/v1/assets/{id}/`. */
export const readAsset = (iconik: Iconik, { params: [id] }: Call): Answer =>
  answered(shownAsset(iconik, findAsset(iconik, id)))

/** `DELETE assets/v1/assets/{id}/uploads/`, for assets whose upload failed. */
export function deleteAsset(iconik: Iconik, { params: [id] }: Call): Answer {
  findAsset(iconik, id).status = 'DELETED'
  return emptyAnswer(204)
}

const NewFormat = z.strictObject({
  name: z.string().min(1),
  storage_methods: z.array(z.enum(storageMethods)).default([]),
  metadata: z.array(z.record(z.string(), z.unknown())).default([]),
  user_id: z.string().optional(),
  version_id: Uuid.optional(),
})

/** `POST files/v1/assets/{asset}/formats/`. */
export function createFormat(iconik: Iconik, call: Call): Answer {
  const asset = findAsset(iconik, call.params[0])
  const format = { ...bodyOf(call, NewFormat), id: iconik.newId() }
  requireVersion(asset, format.version_id)
  asset.formats.push(format)
  return created(format)
}

/** `GET files/v1/assets/{asset}/formats/`, or `file_sets/`. */
export const listOf =
  (name: 'formats' | 'fileSets') =>
  (iconik: Iconik, call: Call): Answer =>
    listAfterId(iconik, call, findAsset(iconik, call.params[0])[name])

const NewFileSet = z.strictObject({
  name: z.string().min(1),
  base_dir: z.string(),
  component_ids: z.array(Uuid),
  format_id: Uuid,
  storage_id: Uuid.optional(),
  version_id: Uuid.optional(),
})

/** `POST files/v1/assets/{asset}/file_sets/`. */
export function createFileSet(iconik: Iconik, call: Call): Answer {
  const asset = findAsset(iconik, call.params[0])
  const fileSet = { ...bodyOf(call, NewFileSet), id: iconik.newId() }
  const { format_id: formatId, storage_id: storageId, version_id: versionId } = fileSet
  requireId(asset.formats, formatId, 'Format')
  if (storageId !== undefined) find(iconik.storages, storageId, 'Storage')
  const isThere = asset.fileSets.some((set) => set.format_id === formatId && set.storage_id === storageId)
  if (isThere && iconik.readings.fileSetConflict === 'refused') throw new ApiError(409, 'The file set already exists')
  requireVersion(asset, versionId)
  asset.fileSets.push(fileSet)
  return created(fileSet)
}

const NewFile = z.strictObject({
  original_name: z.string().min(1),
  directory_path: z.string(),
  type: z.enum(['FILE', 'DIRECTORY', 'SYMLINK']),
  size: z.int().min(0).optional(),
  status: z.enum(fileStatuses).optional(),
  storage_id: Uuid.optional(),
  file_set_id: Uuid.optional(),
  format_id: Uuid.optional(),
  version_id: Uuid.optional(),
  file_date_modified: z.iso.datetime({ offset: true }).optional(),
})

/** `POST files/v1/assets/{asset}/files/`. Files of cloud storages have upload addresses in the answer. */
export function createFile(iconik: Iconik, call: Call): Answer {
  const asset = findAsset(iconik, call.params[0])
  const { storage_id: storageId, version_id: versionId, ...values } = bodyOf(call, NewFile)
  const storage = writableStorage(iconik, storageId)
  requireId(asset.formats, values.format_id, 'Format')
  requireId(asset.fileSets, values.file_set_id, 'File set')
  requireVersion(asset, versionId)
  const id = iconik.newId()
  const hasPrefix = storage?.settings.add_uuid_to_filenames ?? true
  const file: AssetFile = {
    ...newFile(id, asset.id, values.original_name),
    ...values,
    name: hasPrefix ? `${id}_${values.original_name}` : values.original_name,
    status: statusOf(iconik, values.status, storage),
    storage,
  }
  asset.files.push(file)
  return created({ ...shownFile(file), ...uploadAddresses(iconik, file) })
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
export const listFiles = (iconik: Iconik, call: Call): Answer => {
  const present = findAsset(iconik, call.params[0]).files.filter(({ status }) => status !== 'DELETED')
  return listAfterId(iconik, call, present.map(shownFile))
}

/** `GET files/v1/assets/{asset}/files/{file}/`. */
export function readFile(iconik: Iconik, { params }: Call): Answer {
  const file = findFile(iconik, params)
  const isShown = file.status === 'OPEN' && iconik.readings.fileShowsUploadUrl
  return answered({ ...shownFile(file), ...(isShown ? uploadAddresses(iconik, file) : {}) })
}

const FileChanges = z.strictObject({
  status: z.enum(fileStatuses).optional(),
  progress_processed: z.int().min(0).max(100).optional(),
})

/** `PATCH files/v1/assets/{asset}/files/{file}/`. A file without bytes can be closed too. */
export function changeFile(iconik: Iconik, call: Call): Answer {
  const file = findFile(iconik, call.params)
  const changes = bodyOf(call, FileChanges)
  const isEmpty = file.size === 0 && !file.stored && file.storage?.method !== 'FILE'
  if (changes.status === 'CLOSED' && isEmpty && !iconik.readings.closesEmptyFiles)
    throw new ApiError(400, { status: 'The file has no content.' })
  return answered(shownFile(Object.assign(file, changes)))
}

/** Time that keyframes take, in simulated milliseconds. */
const keyframesMs = 5_000

/** `POST files/v1/assets/{asset}/files/{file}/keyframes/`. Its job fails for a file that is not closed, or without content. */
export function createKeyframes(iconik: Iconik, call: Call): Answer {
  const file = findFile(iconik, call.params)
  bodyOf(call, z.strictObject({}))
  if (file.storage?.ignorePattern?.test(file.original_name)) return emptyAnswer(204)
  const [id, title] = [iconik.newId(), `Keyframes of ${file.original_name}`]
  iconik.jobs.set(id, { title, status: 'STARTED' })
  iconik.clock.after(keyframesMs, () => {
    const isReadable = file.storage?.method === 'FILE' ? !file.storage.folder || isOnGateway(file) : file.stored
    iconik.jobs.set(id, { title, status: file.status === 'CLOSED' && isReadable ? 'FINISHED' : 'FAILED' })
  })
  return answered({ job_id: id })
}

function requireVersion({ versionId }: Asset, id: string | undefined): void {
  if (id !== undefined && id !== versionId) throw new ApiError(404, `Version ${id} does not exist`)
}

function requireId(objects: { id: string }[], id: string | undefined, kind: string): void {
  if (id !== undefined && !objects.some((each) => each.id === id))
    throw new ApiError(404, `${kind} ${id} does not exist`)
}

export function shownAsset({ collections }: Iconik, asset: Asset) {
  const { id, title, externalId, status, createdByUser, versionId } = asset
  const inCollections = [...collections.values()].filter(({ contents }) => contents.includes(id))
  return {
    id,
    title,
    status,
    external_id: externalId ?? null,
    created_by_user: createdByUser,
    in_collections: inCollections.map((collection) => collection.id),
    versions: [{ id: versionId, status: 'ACTIVE' }],
  }
}

export const shownFile = ({ storage, isFromGateway: _, stored: __, uploadCount: ___, ...file }: AssetFile) => ({
  ...file,
  storage_id: storage?.id ?? null,
  storage_method: storage?.method ?? null,
})
