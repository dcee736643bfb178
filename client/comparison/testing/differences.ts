import {
  changedFiles,
  changedFolders,
  type ChangeTotals,
  comparison,
  type Difference,
  type Growth,
  growth,
  type KindOfChange,
} from '#events/comparison.ts'
import { type FolderAtDate, folderHistory } from '#events/folders/calls.ts'
import { snapshotDates, volumes } from '#events/snapshots.ts'
import { entry, today, volume, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith } from '#client/testing/fakeApi.ts'

export const KiB = 1024
export const weekAgo = '2026-02-22'
export const monthAgo = '2026-01-30'
export const dates = { indexingDate: today, previousIndexingDate: weekAgo }

export const snapshots = (days = [today, weekAgo, monthAgo], isPartial = false) =>
  answer(
    snapshotDates,
    days.map((indexingDate) => ({ indexingDate, volumes: 1, isPartial })),
  )

export const kinds: ChangeTotals[] = [
  { kind: 'CREATED', files: 71, folders: 16, size: 533 * KiB, grown: 533 * KiB, shrunk: 0 },
  { kind: 'CHANGED', files: 2, folders: 2, size: 65 * KiB, grown: 50 * KiB, shrunk: 75 * KiB },
  { kind: 'MOVED', files: 1, folders: 0, size: 40 * KiB, grown: 0, shrunk: 0 },
  { kind: 'REMOVED', files: 2, folders: 1, size: 24 * KiB, grown: 0, shrunk: 24 * KiB },
  { kind: 'NO_LONGER_INDEXED', files: 0, folders: 0, size: 0, grown: 0, shrunk: 0 },
]
export const totals = answer(comparison, { ...dates, growth: 472 * KiB, unrecordedGrowth: 5 * KiB, kinds })
export const noTotals = answer(comparison, {
  ...dates,
  growth: 0,
  unrecordedGrowth: 0,
  kinds: kinds.map(({ kind }) => ({ kind, files: 0, folders: 0, size: 0, grown: 0, shrunk: 0 })),
})

/** Sizes in KiB; null if the entry doesn't exist. */
type Sizes = { before: number | null; now: number | null }
export const difference = (
  path: string,
  kind: KindOfChange,
  { before, now }: Sizes,
  changes: Partial<Difference> = {},
) => ({
  ...entry(path, { size: now === null ? -1 : now * KiB, volumeId: 1, ...changes }),
  kind,
  previousSize: before === null ? null : before * KiB,
  delta: ((now ?? 0) - (before ?? 0)) * KiB,
})
export const files = [
  difference('/cuts/reel two.mov', 'CHANGED', { before: 80, now: 5 }),
  difference('/archive/interview 2025.mxf', 'MOVED', { before: 40, now: 40 }, { previousPath: '/raw/interview.mxf' }),
  difference('/credits.pdf', 'CREATED', { before: null, now: 8 }),
  difference('/trash/notes.txt', 'REMOVED', { before: 4, now: null }, { deleted: true }),
  difference('/cache/preview.tmp', 'NO_LONGER_INDEXED', { before: 12, now: null }),
]
export const folders = [
  difference('/raw', 'CHANGED', { before: 40, now: 0 }, { isDirectory: true, numberOfFiles: 0, numberOfFolders: 0 }),
  difference('/trash', 'REMOVED', { before: 24, now: null }, { isDirectory: true, deleted: true }),
]
/** Growth of a part of storage 1, by default of one of its folders. */
export const part = (field: string, bytes: number, filesGrowth: number, changes: Partial<Growth> = {}): Growth => ({
  field,
  isUnrecorded: false,
  growth: bytes,
  filesGrowth,
  volumeId: 1,
  path: `/${field}`,
  ...changes,
})
const grownFolders = [
  part('days', 525 * KiB, 70),
  part('', 8 * KiB, 1, { path: '/' }),
  part('trash', -24 * KiB, -2),
  part('cuts', -25 * KiB, 0),
]
const elsewhere = { volumeId: null, path: null }
const grownBy = {
  folder: grownFolders,
  extension: [part('wav', 525 * KiB, 70, elsewhere), part('', 5 * KiB, 1, { ...elsewhere, isUnrecorded: true })],
  owner: [part('ana', 467 * KiB, 66, elsewhere)],
}
export const groups = answer(growth, ({ query }) => ({ ...pageWith(grownBy[query.by]), ...dates }))

const folderAt = (indexingDate: string, size: number): FolderAtDate => ({
  indexingDate,
  size,
  lastAccess: null,
  lastModified: null,
  creationDate: null,
  group: 'editors',
  owner: 'ana',
  inode: '1',
  numberOfFiles: 1,
  numberOfFolders: 1,
  unreadable: false,
  notEntered: null,
})
const history = answer(folderHistory, ({ query }) =>
  query.storageId === 1 && query.path !== '/nowhere' ? [folderAt(weekAgo, 176 * KiB), folderAt(today, 648 * KiB)] : [],
)

type ListQuery = { kind: KindOfChange[]; page: number; size: number }
/** A page of differences of the requested kinds. */
const pageOf = (all: Difference[], { kind, page, size }: ListQuery) => {
  const found = all.filter((one) => kind.length === 0 || kind.includes(one.kind))
  const elements = found.slice((page - 1) * size, page * size)
  return { ...pageWith(elements, found.length), ...dates, page, size, cursor: null }
}
const isFolder = ({ isDirectory }: Difference) => isDirectory

/** Answers for both lists of differences. */
export const listOf = (all: Difference[]) => [
  answer(changedFiles, ({ query }) =>
    pageOf(
      all.filter((one) => !isFolder(one)),
      query,
    ),
  ),
  answer(changedFolders, ({ query }) => pageOf(all.filter(isFolder), query)),
]

/** Default answers for a comparison of the storage Films. */
export const defaultAnswers: FakeAnswer[] = [
  snapshots(),
  totals,
  groups,
  history,
  ...listOf([...files, ...folders]),
  answer(volumes, volumePage([volume(1, { name: 'Films' }), volume(2, { name: 'Sounds' })])),
]
