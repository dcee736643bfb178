import type { searchEntries } from '#events/search/criteria.ts'
import type { Entry } from '#events/entries.ts'
import type { folderByPath } from '#events/folders/browse.ts'
import type { storages } from '#events/storages.ts'
import type { Context } from './context.ts'
import { notFound } from './failures.ts'

/** A folder of a storage; `/` is all of it. */
export type Place = { volumeId: number; path: string }

/** Parts of `films:/projects`. A full path of a share, `nas:/export`, has the same form. */
const named = /^([^/\\]+?)(?::(\/.*)?)?$/s

/** Returns the ID of a storage by its name, or by its ID if no storage has that name. Undefined for an unknown one. */
async function storageId(context: Context, name: string): Promise<number | undefined> {
  let byId: number | undefined
  for await (const storage of context.list<typeof storages>('GET /v1/storages', { query: {} })) {
    if (storage.name === name) return storage.id
    if (String(storage.id) === name) byId = storage.id
  }
  return byId
}

/** Reads a storage, and a path in it that need not exist. Throws a `Failure` for an unknown storage. */
export async function readPlace(context: Context, text: string): Promise<Place> {
  const [, name, path = '/'] = named.exec(text) ?? []
  const id = name === undefined ? undefined : await storageId(context, name)
  if (id !== undefined) return { volumeId: id, path: path.replace(/(?<=.)\/+$/, '') }
  if (name !== undefined && !text.includes(':/'))
    throw notFound(`There is no storage ${text}. "dataintell storages" lists them.`)
  return findFolder(context, text)
}

/**
 * Finds a folder that is written as `storage:/path`, as the name of a storage, or as a full path. Throws a `Failure` with the most
 * similar folder if it doesn't exist.
 */
export async function findFolder(context: Context, text: string): Promise<Place> {
  const indexingDate = context.text('date')
  const [, name, path = '/'] = named.exec(text) ?? []
  const id = name === undefined ? undefined : await storageId(context, name)
  if (id === undefined && !/^(\/|\\\\|[^/\\]+:\/)/.test(text))
    throw notFound(
      `There is no storage ${text}. "dataintell storages" lists them. A path starts with /, or with a storage: films:/a.`,
    )
  const { exists, folder } = await context.call<typeof folderByPath>('GET /v1/directories/lookup', {
    query: { path: id === undefined ? text : path, indexingDate, ...(id !== undefined && { storageId: id }) },
  })
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
