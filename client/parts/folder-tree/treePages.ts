import { contentsOfFolder, filesSince, foldersSince, partOfFolder, type PartOfFolder } from '#events/browse.ts'
import type { SummaryPage } from '#events/entries.ts'
import { call } from '../../app/call.ts'
import type { Next, TreePage } from './treeModel.ts'

/** How many entries a page of the tree has. */
const pageSize = 500

/** Which entries the tree shows of each folder, and in which order. With a previous date, what became of them since. */
export type TreeAsked = {
  volumeId: number
  indexingDate: string | undefined
  previousDate: string | undefined
  showsHidden: boolean
  sort: string
  direction: 'asc' | 'desc'
}

type Place = { path: string; part: PartOfFolder }

/** A page of the folders, or of the files, directly in a folder; the first one unless it is told where to go on. */
export const readPage = (asked: TreeAsked, place: Place, next: Next, signal: AbortSignal): Promise<TreePage> =>
  asked.previousDate === undefined
    ? readNow(asked, place, next, signal)
    : readSince(asked, asked.previousDate, place, next, signal)

/**
 * How the folders and the files directly in a folder begin. Without a previous date it is one call, and together they are a page
 * while the folders leave room.
 */
export function readContents(
  asked: TreeAsked,
  path: string,
  signal: AbortSignal,
): Record<PartOfFolder, Promise<TreePage>> {
  if (asked.previousDate !== undefined) {
    const readFirst = (part: PartOfFolder) => readPage(asked, { path, part }, null, signal)
    return { folders: readFirst('folders'), files: readFirst('files') }
  }
  const contents = call(contentsOfFolder, { query: { ...common(asked), ...hidden(asked), path } }, signal)
  const firstOf = async (part: PartOfFolder) => asTreePage((await contents)[part])
  return { folders: firstOf('folders'), files: firstOf('files') }
}

const asTreePage = ({ elements, total, cursor }: SummaryPage): TreePage => ({ entries: elements, total, next: cursor })

const common = ({ volumeId, indexingDate, sort, direction }: TreeAsked) => ({
  volumeId: [volumeId],
  indexingDate,
  sort,
  direction,
  size: pageSize,
})
const hidden = ({ showsHidden }: TreeAsked) => ({ showHiddenDirectories: showsHidden ? 'true' : 'false' })

async function readNow(asked: TreeAsked, { path, part }: Place, next: Next, signal: AbortSignal): Promise<TreePage> {
  const cursor = typeof next === 'string' ? next : undefined
  const query = { ...common(asked), ...hidden(asked), path, cursor }
  return asTreePage(await call(partOfFolder, { params: { part }, query }, signal))
}

async function readSince(
  asked: TreeAsked,
  previousDate: string,
  { path, part }: Place,
  next: Next,
  signal: AbortSignal,
): Promise<TreePage> {
  const page = typeof next === 'number' ? next : 1
  const query = { ...common(asked), page, path }
  const params = { previousDate }
  const { elements, total } =
    part === 'folders'
      ? await call(foldersSince, { params, query: { ...query, ...hidden(asked) } }, signal)
      : await call(filesSince, { params, query }, signal)
  return { entries: elements, total, next: page * pageSize < total ? page + 1 : null }
}
