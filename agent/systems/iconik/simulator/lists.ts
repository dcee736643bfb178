import { z } from 'zod'
import { type Answer, answered } from '#agent/simulator/answers.ts'
import { ApiError, created, jsonText } from './answers.ts'
import { shownAsset, shownFile } from './assets.ts'
import { bodyOf, type Call, pageOf, PageParameters, queryOf, Uuid } from './call.ts'
import {
  ancestry,
  type Asset,
  type Collection,
  filesOf,
  find,
  findAsset,
  type Iconik,
  pathOf,
  type Storage,
} from './contents.ts'

/** `GET assets/v1/collections/`. Hidden and deleted collections are listed too. */
export function listCollections(iconik: Iconik, call: Call): Answer {
  const { sort, ...paging } = queryOf(call, z.strictObject(PageParameters))
  const shown = [...iconik.collections.values()].map((collection) => shownCollection(iconik, collection))
  return pageOf(iconik, call, paging, sortedByTitle(iconik, shown, sort), 404)
}

function sortedByTitle({ readings }: Iconik, shown: { title: string }[], sort: string | undefined) {
  if (sort === undefined || (sort === 'title,asc' && readings.titleSort === 'ignored')) return shown
  if (sort !== 'title,asc' || readings.titleSort === 'refused')
    throw new ApiError(400, { sort: `Invalid sort: ${sort}` })
  return shown.toSorted((a, b) => (a.title < b.title ? -1 : Number(a.title > b.title)))
}

/** `GET assets/v1/collections/{id}/`. */
export const readCollection = (iconik: Iconik, { params: [id = ''] }: Call): Answer =>
  answered(shownCollection(iconik, find(iconik.collections, id, 'Collection')))

/** `GET assets/v1/collections/{id}/full/path/`: a text as JSON. */
export const collectionPath = (iconik: Iconik, { params: [id = ''] }: Call): Answer =>
  jsonText(
    ancestry(iconik, find(iconik.collections, id, 'Collection'))
      .map(({ title }) => title)
      .join('/'),
  )

const Content = z.strictObject({ object_id: Uuid, object_type: z.enum(['assets']) })

/** `POST assets/v1/collections/{id}/contents/`. */
export function addContent(iconik: Iconik, call: Call): Answer {
  const collection = find(iconik.collections, call.params[0] ?? '', 'Collection')
  const content = bodyOf(call, Content)
  if (collection.status === 'DELETED') throw new ApiError(404, `Collection ${collection.id} does not exist`)
  collection.contents.push(findAsset(iconik, content.object_id).id)
  return created({ ...content, collection_id: collection.id })
}

function shownCollection(iconik: Iconik, collection: Collection) {
  const { id, title, status, parentId, createdAt } = collection
  const parents = ancestry(iconik, collection)
    .slice(0, -1)
    .map((parent) => parent.id)
  const parent = { is_root: parentId === undefined, parent_id: parentId ?? null, in_collections: parents.slice(-1) }
  return { id, title, status, ...parent, parents, date_created: createdAt }
}

/** `GET files/v1/storages/`. */
export function listStorages(iconik: Iconik, call: Call): Answer {
  const paging = queryOf(call, z.strictObject(PageParameters))
  return pageOf(iconik, call, paging, [...iconik.storages.values()].map(shownStorage))
}

/** `GET files/v1/storages/{id}/`. */
export const readStorage = (iconik: Iconik, call: Call): Answer => answered(shownStorage(storageOf(iconik, call)))

/** `GET files/v1/storages/{id}/verifications/access/`. */
export function checkAccess(iconik: Iconik, call: Call): Answer {
  const { accessError } = storageOf(iconik, call)
  return answered({ access_check: accessError === undefined, error_message: accessError ?? null })
}

const FilesQuery = z.strictObject({
  ...PageParameters,
  path: z.string().optional(),
  directory_path: z.string().optional(),
})

/** `GET files/v1/storages/{id}/files/`. A slash at the end of a directory does not matter. */
export function listStorageFiles(iconik: Iconik, call: Call): Answer {
  const storage = storageOf(iconik, call)
  const { path, directory_path: directory, ...paging } = queryOf(call, FilesQuery)
  const isAt = (found: string) =>
    path === undefined || (iconik.readings.pathFilter === 'whole' ? found === path : found.startsWith(path))
  const isIn = (found: string) => directory === undefined || found.replace(/\/+$/, '') === directory.replace(/\/+$/, '')
  const matching = filesOf(iconik).filter(
    (file) => file.storage === storage && isAt(pathOf(file)) && isIn(file.directory_path),
  )
  return pageOf(iconik, call, paging, matching.map(shownFile))
}

const storageOf = ({ storages }: Iconik, { params: [id = ''] }: Call): Storage => find(storages, id, 'Storage')

const shownStorage = ({ id, name, method, purpose, status, status_message, settings }: Storage) => ({
  id,
  name,
  method,
  purpose,
  status,
  status_message,
  settings,
})

const Search = z.strictObject({
  doc_types: z.array(z.enum(['assets'])).min(1),
  filter: z.strictObject({
    operator: z.enum(['AND', 'OR']),
    terms: z.array(z.strictObject({ name: z.enum(['external_id']), value: z.string() })).length(1),
  }),
})

/** `POST search/v1/search/`, by one external id. New assets appear after a delay. */
export function search(iconik: Iconik, call: Call): Answer {
  const [term] = bodyOf(call, Search).filter.terms
  const paging = queryOf(call, z.strictObject(PageParameters))
  const indexedUntil = iconik.clock.now() - iconik.readings.searchDelayMs
  const isFound = ({ status, createdAt, externalId }: Asset) =>
    status === 'ACTIVE' && createdAt <= indexedUntil && externalId === term?.value
  const found = [...iconik.assets.values()].filter(isFound)
  return pageOf(
    iconik,
    call,
    paging,
    found.map((asset) => ({ ...shownAsset(iconik, asset), object_type: 'assets' })),
  )
}
