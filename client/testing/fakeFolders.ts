import { storageManagerFile } from '#events/actions/storageManager.ts'
import { contentsOfFolder, partOfFolder, type PartOfFolder } from '#events/folders/browse.ts'
import { folderDetails } from '#events/folders/calls.ts'
import { type Entry, EntrySummary, type SummaryPage } from '#events/entries.ts'
import { searchEntries } from '#events/search/criteria.ts'
import { volumes } from '#events/snapshots.ts'
import { detailedVolume } from '#events/storages.ts'
import { knownTags } from '#events/tags.ts'
import { entry, entryPage, today, volume, volumePage } from './examples.ts'
import { answer, type FakeAnswer, pageWith } from './fakeApi.ts'
import { open } from './render.tsx'

/** A folder of the storage Films. */
export const folder = (path: string, changes: Partial<Entry> = {}): Entry =>
  entry(path, { isDirectory: true, numberOfFiles: 0, numberOfFolders: 0, extension: '', ...changes })

/** A small storage with unordered entries. */
export const films = () => [
  folder('/odd', { size: 500 }),
  folder('/projects', { size: 5_000 }),
  folder('/.hidden', { size: 700 }),
  folder('/projects/beta', { size: 1_000, numberOfFiles: 1 }),
  folder('/projects/alpha', { size: 3_000, numberOfFiles: 2 }),
  folder('/projects/nothing', { size: 0 }),
  entry('/projects/beta/beta.mov', { size: 1_000 }),
  entry('/projects/alpha/notes.txt', { size: 2_500 }),
  folder('/projects/alpha/shots', { size: 400 }),
  entry('/loose.mov', { size: 9_000 }),
]
/** Opens a folder of the storage Films, by default its root. */
export const openFiles = (query: Record<string, string> = {}, entries = films(), ...answers: FakeAnswer[]) =>
  open(`/filemanagement?${new URLSearchParams({ volumeId: '1', ...query })}`, {
    answers: [...foldersWith(entries), ...answers],
  })

/** Answers of a server whose storage Films has these entries. The list may be changed later. */
export const foldersWith = (entries: Entry[]): FakeAnswer[] => [
  answer(volumes, volumePage([volume(1, { name: 'Films' })])),
  answer(detailedVolume, pageWith([])),
  answer(knownTags, []),
  answer(contentsOfFolder, ({ query }) => {
    const folders = listOf(entries, 'folders', query)
    const room = query.size - folders.elements.length
    return { folders, files: listOf(entries, 'files', { ...query, size: room > 0 ? room : query.size }) }
  }),
  answer(partOfFolder, ({ params, query }) => listOf(entries, params.part, query)),
  answer(folderDetails, ({ query }) => {
    const found = entries.find(({ path, isDirectory }) => isDirectory && path === query.path)
    return { ...(found ?? folder('/', { name: '', size: 10_000 })), largest: [] }
  }),
  answer(storageManagerFile, ({ params }) => entries.find(({ fileId }) => fileId === params.fileId) ?? entry('/gone')),
  answer(searchEntries, ({ body }) => {
    const requested = JSON.stringify(body)
    return entryPage(entries.filter(({ fileId }) => requested.includes(`"${fileId}"`)))
  }),
]

type ListQuery = {
  path: string
  sort?: string | undefined
  direction?: string | undefined
  size: number
  page?: number
  cursor?: string | undefined
  showHiddenDirectories: boolean
}

/** A page of the direct folders or files of a folder. The cursor is the number of entries before it. */
function listOf(entries: Entry[], part: PartOfFolder, query: ListQuery): SummaryPage {
  const { path, sort = 'size', direction, size, page = 1, cursor, showHiddenDirectories } = query
  const isShown = ({ name, isDirectory }: Entry) => showHiddenDirectories || !isDirectory || !name.startsWith('.')
  const found = entries
    .filter((each) => each.isDirectory === (part === 'folders') && parentOf(each.path) === path && isShown(each))
    .toSorted((one, other) => compare(one, other, sort as keyof Entry) * (direction === 'desc' ? -1 : 1))
  const from = cursor === undefined ? (page - 1) * size : Number(cursor)
  const elements = found.slice(from, from + size).map((each) => EntrySummary.parse(each))
  const end = from + elements.length
  return {
    ...pageWith(elements, found.length),
    page,
    size,
    indexingDate: today,
    cursor: end < found.length ? String(end) : null,
  }
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/'

function compare(one: Entry, other: Entry, field: keyof Entry): number {
  const [first, second] = [one[field], other[field]]
  if (typeof first === 'number' && typeof second === 'number') return first - second
  return String(first).localeCompare(String(second))
}
