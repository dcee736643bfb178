import { z } from 'zod'
import { type Answer, answered } from '#agent/simulator/answers.ts'
import { created, jsonText, ApiError } from '../answers.ts'
import { ancestry, type Collection } from '../contents/collections.ts'
import { find, findAsset } from '../contents/find.ts'
import type { Iconik } from '../contents/iconik.ts'
import { bodyOf, type Call, Flag, queryOf, Uuid } from './call.ts'
import { pageOf, ScrollParameters, sortedBy } from './paging.ts'

const ListQuery = z.strictObject({
  ...ScrollParameters,
  is_root: Flag.optional(),
  status: z.enum(['ACTIVE', 'HIDDEN', 'DELETED']).optional(),
})

/** `GET assets/v1/collections/`. Hidden and deleted collections are listed too. */
export function listCollections(iconik: Iconik, call: Call): Answer {
  const { readings } = iconik
  const { is_root: isRoot, status, sort, ...paging } = queryOf(call, ListQuery)
  const matching = [...iconik.collections.values()].filter(
    (each) => (isRoot === undefined || isRoot === !each.parentId) && (status === undefined || status === each.status),
  )
  const shown = matching.map((collection) => shownCollection(iconik, collection))
  return pageOf(iconik, call, paging, sortedCollections(iconik, shown, sort), {
    maxPerPage: readings.collectionsPerPage,
    pastLastPage: 404,
  })
}

function sortedCollections(
  { readings }: Iconik,
  shown: ShownCollection[],
  sort: string | undefined,
): ShownCollection[] {
  const isByTitle = sort?.startsWith('title,') ?? false
  if (isByTitle && readings.titleSort === 'ignored') return shown
  return sortedBy(shown, sort, readings.titleSort === 'refused' ? ['date_created'] : ['title', 'date_created'])
}

/** `GET assets/v1/collections/{id}/`. */
export const readCollection = (iconik: Iconik, { params: [id = ''] }: Call): Answer =>
  answered(shownCollection(iconik, find(iconik.collections, id, 'Collection')))

/** `GET assets/v1/collections/{id}/full/path/`: a text as JSON. */
export function collectionPath(iconik: Iconik, call: Call): Answer {
  const { get_upload_path: isForUpload = false } = queryOf(call, z.strictObject({ get_upload_path: Flag.optional() }))
  const names = ancestry(iconik, find(iconik.collections, call.params[0] ?? '', 'Collection')).map(({ title }) => title)
  return jsonText(isForUpload ? names.map((name) => name.replaceAll('/', '_')).join('/') : names.join('/'))
}

const Content = z.strictObject({ object_id: Uuid, object_type: z.enum(['assets']) })

/** `POST assets/v1/collections/{id}/contents/`. */
export function addContent(iconik: Iconik, call: Call): Answer {
  const collection = find(iconik.collections, call.params[0] ?? '', 'Collection')
  const { object_id: objectId, object_type: objectType } = bodyOf(call, Content)
  if (collection.status === 'DELETED') throw new ApiError(404, `Collection ${collection.id} does not exist`)
  collection.contents.push(findAsset(iconik, objectId).id)
  return created({ object_id: objectId, object_type: objectType, collection_id: collection.id })
}

type ShownCollection = ReturnType<typeof shownCollection>

function shownCollection(iconik: Iconik, collection: Collection) {
  const parents = ancestry(iconik, collection)
    .slice(0, -1)
    .map(({ id }) => id)
  return {
    id: collection.id,
    title: collection.title,
    status: collection.status,
    is_root: collection.parentId === undefined,
    parent_id: collection.parentId ?? null,
    parents,
    in_collections: parents.slice(-1),
    storage_id: collection.storageId ?? null,
    external_id: collection.externalId ?? null,
    date_created: collection.createdAt,
  }
}
