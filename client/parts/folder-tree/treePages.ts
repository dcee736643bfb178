import { contentsOfFolder, filesSince, foldersSince, partOfFolder, type PartOfFolder } from '#events/folders/browse.ts'
import type { SummaryPage } from '#events/entries.ts'
import { call } from '#client/app/call.ts'
import type { Next, TreePage } from './treeModel.ts'

/** How many entries a page of the tree has. */
const pageSize = 500

/** Which entries the tree shows of each folder, and in which order. With a previous date, what became of them since. */
export type TreeQuery = {
  volumeId: number
  indexingDate: string | undefined
  previousDate: string | undefined
  showsHidden: boolean
  sort: string
  direction: 'asc' | 'desc'
}

type Place = { path: string; part: PartOfFolder }

/** A page of the folders, or of the files, directly in a folder; without `next` the first one. */
export const readPage = (query: TreeQuery, place: Place, next: Next, signal: AbortSignal): Promise<TreePage> =>
  query.previousDate === undefined
    ? readNow(query, place, next, signal)
    : readSince(query, query.previousDate, place, next, signal)

/**
 * How the folders and the files directly in a folder begin. Without a previous date it is one call, and together they are a page
 * while the folders leave room.
 */
export function readContents(
  query: TreeQuery,
  path: string,
  signal: AbortSignal,
): Record<PartOfFolder, Promise<TreePage>> {
  if (query.previousDate !== undefined) {
    const readFirst = (part: PartOfFolder) => readPage(query, { path, part }, null, signal)
    return { folders: readFirst('folders'), files: readFirst('files') }
  }
  const contents = call(contentsOfFolder, { query: { ...common(query), ...hidden(query), path } }, signal)
  const firstOf = async (part: PartOfFolder) => asTreePage((await contents)[part])
  return { folders: firstOf('folders'), files: firstOf('files') }
}

const asTreePage = ({ elements, total, cursor }: SummaryPage): TreePage => ({ entries: elements, total, next: cursor })

const common = ({ volumeId, indexingDate, sort, direction }: TreeQuery) => ({
  volumeId: [volumeId],
  indexingDate,
  sort,
  direction,
  size: pageSize,
})
const hidden = ({ showsHidden }: TreeQuery) => ({ showHiddenDirectories: showsHidden ? 'true' : 'false' })

async function readNow(
  treeQuery: TreeQuery,
  { path, part }: Place,
  next: Next,
  signal: AbortSignal,
): Promise<TreePage> {
  const cursor = typeof next === 'string' ? next : undefined
  const query = { ...common(treeQuery), ...hidden(treeQuery), path, cursor }
  return asTreePage(await call(partOfFolder, { params: { part }, query }, signal))
}

async function readSince(
  treeQuery: TreeQuery,
  previousDate: string,
  { path, part }: Place,
  next: Next,
  signal: AbortSignal,
): Promise<TreePage> {
  const page = typeof next === 'number' ? next : 1
  const query = { ...common(treeQuery), page, path }
  const params = { previousDate }
  const { elements, total } =
    part === 'folders'
      ? await call(foldersSince, { params, query: { ...query, ...hidden(treeQuery) } }, signal)
      : await call(filesSince, { params, query }, signal)
  return { entries: elements, total, next: page * pageSize < total ? page + 1 : null }
}
