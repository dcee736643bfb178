import { contentsOfFolder, filesSince, foldersSince, partOfFolder, type PartOfFolder } from '#events/folders/browse.ts'
import type { SummaryPage } from '#events/entries.ts'
import type { TimeQuery } from '#client/app/activeDate.ts'
import { call } from '#client/app/call.ts'
import type { Next, TreePage } from './treeModel.ts'

/** Entries per page of the tree. */
const pageSize = 500

/** Entries to show and their order. With a previous date, entries include their change; only days are compared. */
export type TreeQuery = {
  volumeId: number
  at: TimeQuery
  previousDate: string | undefined
  showsHidden: boolean
  sort: string
  direction: 'asc' | 'desc'
}

type Place = { path: string; part: PartOfFolder }

/** A page of the direct folders or files of a folder; the first page without `next`. */
export const readPage = (query: TreeQuery, place: Place, next: Next, signal: AbortSignal): Promise<TreePage> =>
  query.previousDate === undefined
    ? readNow(query, place, next, signal)
    : readSince(query, query.previousDate, place, next, signal)

/**
 * First folders and first files of a folder. Without a previous date, a single request returns both, sharing one page.
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

const common = ({ volumeId, at, sort, direction }: TreeQuery) => ({
  volumeId: [volumeId],
  ...at,
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
  const { live: _, ...query } = { ...common(treeQuery), page, path }
  const params = { previousDate }
  const { elements, total } =
    part === 'folders'
      ? await call(foldersSince, { params, query: { ...query, ...hidden(treeQuery) } }, signal)
      : await call(filesSince, { params, query }, signal)
  return { entries: elements, total, next: page * pageSize < total ? page + 1 : null }
}
