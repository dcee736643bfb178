import type { Entry, EntrySummary } from '#events/entries.ts'
import { folderByPath } from '#events/folders/browse.ts'
import { folderDetails } from '#events/folders/calls.ts'
import { searchEntries } from '#events/search/criteria.ts'
import { storages } from '#events/storages.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Context } from './tool.ts'

/** A place as the input of a tool names it. */
export type Place = {
  storage?: string | undefined
  path?: string | undefined
  indexingDate?: string | undefined
}
type Folder = { volumeId: number; path: string }

const inRows = ['volumeName', 'fullPath', 'isDirectory', 'size', 'numberOfFiles', 'numberOfFolders'] as const
const inRowsToo = ['owner', 'lastModified', 'lastAccess', 'customTag', 'deleted', 'unreadable'] as const

/** A file or folder as a row of a result, without what most rows don't have. */
export const entryRow = (entry: EntrySummary & Partial<Entry>): object =>
  Object.fromEntries(
    [...inRows, ...inRowsToo, 'dupe' as const, 'archive' as const]
      .map((field) => [field, entry[field]] as const)
      .filter(([field, value]) => value !== null && (value !== false || field === 'isDirectory')),
  )

/** The number of the row with a name or number. Throws 404 with some names, and 400 if several have the name. */
export function idIn(rows: { id: number; name: string }[], given: string, what: string): number {
  const named = rows.filter(({ name }) => name === given)
  if (named.length > 1)
    throw new Problem(400, `Several have the name ${given}. Use a number: ${named.map(({ id }) => id).join(', ')}`)
  const isSimilar = ({ name }: { name: string }) => name.toLowerCase() === given.toLowerCase()
  const found = named[0] ?? rows.find(({ id }) => String(id) === given) ?? rows.find(isSimilar)
  if (found) return found.id
  const names = rows.slice(0, 20).map(({ name }) => name)
  throw new Problem(404, `There is no ${what} ${given}. Some names: ${names.join(', ') || 'none'}`)
}

/** Number of a storage that is named or numbered; undefined for all storages. Throws 404. */
export const storageId = async ({ call }: Context, storage: Place['storage']): Promise<number | undefined> =>
  storage === undefined || storage === '' ? undefined : idIn((await call(storages)).elements, storage, 'storage')

/** The folder at a path, by its path within its storage. Throws 404 with the most similar folder. */
export async function folderAt(context: Context, { storage, path = '/', indexingDate }: Place): Promise<Folder> {
  const id = await storageId(context, storage)
  if (path !== '/') {
    const { exists, folder } = await context.call(folderByPath, { query: { path, storageId: id, indexingDate } })
    if (exists && folder) return folder
    throw new Problem(404, `There is no folder ${path}${folder ? `. The most similar one is ${folder.path}` : ''}`)
  }
  if (id === undefined) throw new Problem(400, 'Name a storage or a path')
  return { volumeId: id, path }
}

/** The file or folder at a path, with all attributes. Throws 404. */
export async function entryAt(context: Context, { storage, path = '/', indexingDate }: Place): Promise<Entry> {
  const bare = path.replace(/(?<=.)\/+$/, '')
  const folder = await folderAt(context, { storage, path: bare, indexingDate }).catch((error: unknown) => {
    if (bare === '/' || !(error instanceof Problem) || !error.message.startsWith('There is no folder')) throw error
  })
  if (folder) {
    const query = { path: folder.path, storageId: folder.volumeId, indexingDate, size: 0 }
    return context.call(folderDetails, { query })
  }
  const cut = bare.includes('/') ? bare.lastIndexOf('/') : bare.lastIndexOf('\\')
  const above = await folderAt(context, { storage, path: bare.slice(0, Math.max(cut, 0)) || '/', indexingDate })
  const within = `${above.path === '/' ? '' : above.path}/${bare.slice(cut + 1)}`
  const body = [{ path: { value: within } }, { volumeId: { values: [above.volumeId] } }]
  const { elements } = await context.call(searchEntries, { query: { indexingDate, size: 1 }, body })
  if (!elements[0]) throw new Problem(404, `There is no file or folder ${path}`)
  return elements[0]
}

/** Link to an entry in its folder. */
export const entryLink = ({ links }: Context, { volumeId, path, name, isDirectory }: Entry, indexingDate?: string) =>
  isDirectory
    ? links('/filemanagement', { volumeId, path, indexingDate })
    : links('/filemanagement', { volumeId, path: path.slice(0, -name.length - 1) || '/', fileName: name, indexingDate })
