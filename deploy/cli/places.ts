import type { searchEntries } from '#events/search/criteria.ts'
import type { Entry } from '#events/entries.ts'
import type { folderByPath } from '#events/folders/browse.ts'
import type { storages } from '#events/storages.ts'
import { isTypedPath } from '#events/sources/fullPath.ts'
import { collect, type Context } from './context.ts'
import { notFound } from './failures.ts'

/** A folder of a storage; `/` is all of it. */
export type Place = { volumeId: number; path: string }

/** Parts of `films:/projects`. A full path of a share, `nas:/export`, has the same form. */
const named = /^([^/\\]+?)(?::(\/.*)?)?$/s

/** Splits off a storage, named or by its ID. A full path has none. Throws a `Failure` for an unknown storage. */
async function splitPlace(context: Context, text: string): Promise<{ id?: number; path: string }> {
  const [, name, path = '/'] = named.exec(text) ?? []
  const all = name === undefined ? [] : await collect(context.list<typeof storages>('GET /v1/storages', { query: {} }))
  const found = all.find((storage) => storage.name === name) ?? all.find(({ id }) => String(id) === name)
  if (found) return { id: found.id, path }
  if (isTypedPath(text)) return { path: text }
  throw notFound(
    `There is no storage ${text}. "dataintell storages" lists them. Paths begin with / or with a storage: films:/a.`,
  )
}

/** Reads a storage, and a path in it that need not exist. Throws a `Failure` for an unknown storage. */
export async function readPlace(context: Context, text: string): Promise<Place> {
  const { id, path } = await splitPlace(context, text)
  return id === undefined ? findFolder(context, text) : { volumeId: id, path: path.replace(/(?<=.)\/+$/, '') }
}

/**
 * Finds a folder that is written as `storage:/path`, as the name of a storage, or as a full path. Throws a `Failure` with the most
 * similar folder if it doesn't exist.
 */
export async function findFolder(context: Context, text: string): Promise<Place> {
  const { id: storageId, path } = await splitPlace(context, text)
  const query = { path, indexingDate: context.text('date'), ...(storageId !== undefined && { storageId }) }
  const { exists, folder } = await context.call<typeof folderByPath>('GET /v1/directories/lookup', { query })
  if (exists && folder) return folder
  const hint = folder && folder.path !== '/' ? ` The most similar one is ${folder.volumeId}:${folder.path}.` : ''
  throw notFound(`There is no folder ${text} in the snapshot.${hint}`)
}

/** Finds the file or folder at a path, written as for `findFolder`. */
export async function findEntry(context: Context, text: string): Promise<Entry> {
  const [, above = '', name = ''] = /^(.*?)[/\\]+([^/\\]+)[/\\]*$/s.exec(text) ?? []
  const parent = /^([^/\\]+:)?$/.test(above) ? `${above}/` : above
  const folder = await findFolder(context, name === '' ? text : parent)
  const path = name === '' ? folder.path : `${folder.path === '/' ? '' : folder.path}/${name}`
  const { elements } = await context.call<typeof searchEntries>('POST /v1/search', {
    query: { indexingDate: context.text('date'), size: 1 },
    body: [{ volumeId: { values: [folder.volumeId] } }, { path: { value: path } }],
  })
  if (elements[0]) return elements[0]
  throw notFound(`There is no file or folder ${text} in the snapshot.`)
}
