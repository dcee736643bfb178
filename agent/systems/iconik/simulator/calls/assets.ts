import { z } from 'zod'
import { type Answer, answered } from '#agent/simulator/answers.ts'
import { created, emptyAnswer, ApiError } from '../answers.ts'
import { addAsset, type Asset, type FileSet, type Format } from '../contents/assets.ts'
import { find, findAsset } from '../contents/find.ts'
import type { Iconik } from '../contents/iconik.ts'
import { storageMethods } from '../contents/storages.ts'
import { bodyOf, type Call, Flag, queryOf, Uuid } from './call.ts'
import { IdParameters, listAfterId } from './paging.ts'

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
  const { title, type, collection_id: collectionId, external_id: externalId } = bodyOf(call, NewAsset)
  const collection = collectionId === undefined ? undefined : find(iconik.collections, collectionId, 'Collection')
  if (!collection && query.assign_to_collection)
    throw new ApiError(400, { collection_id: 'Missing data for required field.' })
  const acls = {
    default: query.apply_default_acls,
    collection: query.apply_collection_acls && collection !== undefined,
  }
  const asset = addAsset(iconik, { title, type, externalId, createdByUser: call.token.userId, acls })
  if (query.assign_to_collection) collection?.contents.push(asset.id)
  return created(shownAsset(iconik, asset))
}

/** `GET assets/v1/assets/{id}/`. */
export const readAsset = (iconik: Iconik, { params: [id = ''] }: Call): Answer =>
  answered(shownAsset(iconik, findAsset(iconik, id)))

/** `DELETE assets/v1/assets/{id}/`, and the same with `uploads/` for assets whose upload failed. */
export function deleteAsset(iconik: Iconik, { params: [id = ''] }: Call): Answer {
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
  const asset = findAsset(iconik, call.params[0] ?? '')
  const { name, storage_methods: storageMethods, metadata, user_id: userId, version_id } = bodyOf(call, NewFormat)
  const versionId = versionOf(asset, version_id)
  const format: Format = { id: iconik.newId(), name, storageMethods, metadata, userId, versionId }
  asset.formats.push(format)
  return created(shownFormat(format))
}

/** `GET files/v1/assets/{asset}/formats/`. */
export const listFormats = (iconik: Iconik, call: Call): Answer => {
  const { formats } = findAsset(iconik, call.params[0] ?? '')
  return listAfterId(iconik, queryOf(call, z.strictObject(IdParameters)), formats.map(shownFormat))
}

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
  const asset = findAsset(iconik, call.params[0] ?? '')
  const {
    name,
    base_dir,
    component_ids,
    format_id: formatId,
    storage_id: storageId,
    version_id,
  } = bodyOf(call, NewFileSet)
  requireFormat(asset, formatId)
  if (storageId !== undefined) find(iconik.storages, storageId, 'Storage')
  const isThere = asset.fileSets.some((set) => set.formatId === formatId && set.storageId === storageId)
  if (isThere && iconik.readings.fileSetConflict === 'refused') throw new ApiError(409, 'The file set already exists')
  const fileSet: FileSet = {
    id: iconik.newId(),
    name,
    baseDirectory: base_dir,
    formatId,
    componentIds: component_ids,
    storageId,
    copies: [],
    versionId: versionOf(asset, version_id),
  }
  asset.fileSets.push(fileSet)
  return created(shownFileSet(fileSet))
}

/** `GET files/v1/assets/{asset}/file_sets/`. */
export const listFileSets = (iconik: Iconik, call: Call): Answer => {
  const { fileSets } = findAsset(iconik, call.params[0] ?? '')
  return listAfterId(iconik, queryOf(call, z.strictObject(IdParameters)), fileSets.map(shownFileSet))
}

/** Id of the asset's version. Throws the answer to an id of another asset. */
export function versionOf(asset: Asset, id: string | undefined): string {
  if (id !== undefined && id !== asset.versionId) throw new ApiError(404, `Version ${id} does not exist`)
  return asset.versionId
}

export function requireFormat({ formats }: Asset, id: string | undefined): void {
  if (id !== undefined && !formats.some((format) => format.id === id))
    throw new ApiError(404, `Format ${id} does not exist`)
}

export function shownAsset({ collections }: Iconik, asset: Asset) {
  const { id, title, type, externalId, status, createdByUser, versionId, createdAt } = asset
  const collectionsOfAsset = [...collections.values()].filter(({ contents }) => contents.includes(id))
  return {
    id,
    title,
    type,
    status,
    external_id: externalId ?? null,
    created_by_user: createdByUser,
    date_created: createdAt,
    in_collections: collectionsOfAsset.map((collection) => collection.id),
    versions: [{ id: versionId, status: 'ACTIVE' }],
  }
}

const shownFormat = ({ id, name, storageMethods, metadata, userId, versionId }: Format) => ({
  id,
  name,
  storage_methods: storageMethods,
  metadata,
  user_id: userId ?? null,
  version_id: versionId,
})

const shownFileSet = ({ id, name, baseDirectory, formatId, componentIds, storageId, versionId }: FileSet) => ({
  id,
  name,
  base_dir: baseDirectory,
  format_id: formatId,
  component_ids: componentIds,
  storage_id: storageId ?? null,
  version_id: versionId,
})
