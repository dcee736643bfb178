import { expect } from 'vitest'
import type { Entry, EntryPage, SummaryPage } from '#events/entries.ts'
import type { FolderDetails } from '#events/folders/calls.ts'
import { isAboveVisible } from '#server/content/snapshots/oracle/visibleHistory.ts'
import { identity } from '#server/content/snapshots/oracle/groupsBySorting.ts'
import { shown } from '#server/questions/browse/oracle/expectedTree.ts'
import { shownTags } from '#server/questions/search/oracle/sorted.ts'
import { address, answerOf, anyFolder, inPath, type LimitedCase } from './asking.ts'
import type { SeenEntry } from './limitedHistory.ts'

const asText = (some: readonly object[]) => some.map((one) => JSON.stringify(one)).sort()
/** The known fields of elements. */
const fieldsOf = (elements: readonly object[], { of }: { of: object | undefined }) =>
  elements.map((one) =>
    Object.fromEntries(Object.keys(of ?? {}).map((field) => [field, (one as Record<string, unknown>)[field]])),
  )
const withoutHidden = (entry: SeenEntry): SeenEntry => ({ ...entry, tags: shownTags(entry.tags) })

/** Compares a page of whole entries with those that a loop found. Folders say of files alone without copies that they have none. */
function expectEntries(context: object, elements: readonly Entry[], expected: readonly SeenEntry[], looked = false) {
  const meant = expected.map((entry) => shown(withoutHidden(entry), looked))
  const fields = fieldsOf(elements, { of: meant[0] ?? elements[0] })
  expect({ ...context, found: asText(fields) }).toEqual({ ...context, found: asText(meant) })
}

const present = ({ knownOn, deletedDays }: LimitedCase, date: string) =>
  knownOn(date, deletedDays).filter(({ deleted }) => !deleted)

/** The lists of a folder, its details, and what is found for its typed path. */
export async function folderLists(seen: LimitedCase): Promise<void> {
  const { random, dates, ask } = seen
  const { volumeId, path } = anyFolder(seen)
  const indexingDate = random.pick(dates)
  const all = present(seen, indexingDate).filter((entry) => entry.volumeId === volumeId)
  const within = all.filter(({ row }) => row.parentPath === inPath(path))
  const of = (isDirectory: boolean) => within.filter(({ row }) => row.isDirectory === isDirectory)
  const query = { storageId: `${volumeId}`, indexingDate, size: '1000' }
  const withHidden = { ...query, path, showHiddenDirectories: 'true' }
  const files = await answerOf<EntryPage>(seen, '/files/directory', { ...query, directoryPath: path })
  expectEntries({ query, path, total: files.total }, files.elements, of(false))
  const folders = await answerOf<EntryPage>(seen, '/directories', withHidden)
  expectEntries({ query, path, total: folders.total }, folders.elements, of(true))
  expect([files.total, folders.total]).toEqual([of(false).length, of(true).length])
  for (const part of ['files', 'folders'] as const) {
    const page = await answerOf<SummaryPage>(seen, `/v1/directories/contents/${part}`, withHidden)
    const names = page.elements.map(({ name, size }) => `${name} ${size}`).sort()
    const meant = of(part === 'folders').map(({ row }) => `${row.name} ${row.size}`)
    expect({ withHidden, part, names }).toEqual({ withHidden, part, names: meant.sort() })
  }
  const { status, body } = await ask('GET', address('/directories/details', { ...query, path }))
  const isSeen = all.some((entry) => entry.row.isDirectory && entry.path === path)
  if (path !== '/') expect({ query, path, status }).toEqual({ query, path, status: isSeen ? 200 : 404 })
  if (status === 200) expectEntries({ query, path, part: 'largest' }, (body as FolderDetails).largest, within)
}

/** Suggestions for a typed path, and the folder that is found for it. */
export async function typedPaths(seen: LimitedCase): Promise<void> {
  const { random, dates } = seen
  const { volumeId, path } = anyFolder(seen)
  const indexingDate = random.pick(dates)
  const folders = present(seen, indexingDate).filter((one) => one.volumeId === volumeId && one.row.isDirectory)
  const query = { storageId: `${volumeId}`, indexingDate }
  const found = await answerOf<{ exists: boolean; folder: { path: string } | null }>(seen, '/v1/directories/lookup', {
    ...query,
    path,
  })
  const key = (text: string) => text.normalize('NFC').toLowerCase()
  const same = folders.filter((one) => key(one.path) === key(path))
  if (path !== '/') {
    expect({ query, path, exists: found.exists }).toEqual({ query, path, exists: same.length > 0 })
    if (found.folder && found.folder.path !== '/') expect(folders.map((one) => one.path)).toContain(found.folder.path)
    if (folders.some((one) => one.path === path)) expect(found.folder?.path).toBe(path)
  }
  const [typed = 'a'] = /[a-z\d]{1,2}/i.exec(path.slice(path.lastIndexOf('/') + 1)) ?? []
  const page = await answerOf<EntryPage>(seen, '/v1/directories/paths', { ...query, path: typed, size: '1000' })
  const meant = folders.filter(({ row }) => key(row.name).includes(key(typed)))
  expectEntries({ query, typed }, page.elements, meant)
  expect(page.total).toBe(meant.length)
}

/** The copies of any file or folder, by its hash. */
export async function copies(seen: LimitedCase): Promise<void> {
  const { random, dates, hashes, whole } = seen
  const indexingDate = random.pick(dates)
  const rows = (whole.dates.get(indexingDate) ?? []).flatMap((state) => [...state.rows.values()])
  const [same, hash] = random.pick([...hashes].filter(([key]) => rows.some((row) => identity(row) === key))) ?? []
  if (same === undefined || hash === undefined) return
  for (const kind of ['files', 'directories'] as const) {
    const page = await answerOf<EntryPage>(seen, `/${kind}/hash/${hash}`, { indexingDate, size: '1000' })
    const meant = present(seen, indexingDate).filter(
      (entry) => !entry.isAbove && entry.row.isDirectory === (kind === 'directories') && identity(entry.row) === same,
    )
    expectEntries({ indexingDate, hash, kind }, page.elements, meant, true)
    expect(page.total).toBe(meant.length)
  }
}

/** The suggested tags and reports of a day. Tags of deleted entries count, those of folders above and of reports of others don't. */
export async function suggestions(seen: LimitedCase): Promise<void> {
  const { random, dates, tags, visible, scope, scanOf } = seen
  const indexingDate = random.pick(dates)
  const states = visible.dates.get(indexingDate) ?? []
  const held = tags.filter(
    ({ volumeId, key, from, to }) =>
      from <= indexingDate &&
      indexingDate < to &&
      states.some((state) => state.volumeId === volumeId) &&
      !isAboveVisible(scope, { volumeId, scanId: scanOf(indexingDate, volumeId) }, key),
  )
  const own = held.flatMap(({ tag }) => (tag.startsWith('dataintell.') ? [] : [tag]))
  const list = async (path: string) => (await answerOf<string[]>(seen, path, { indexingDate })).sort()
  expect({ indexingDate, tags: await list('/v1/files/tags'), reports: await list('/v1/files/reports') }).toEqual({
    indexingDate,
    tags: [...new Set(own)].sort(),
    reports: [],
  })
}

/** Writes tags that an entry has, or takes one away that it hasn't: nothing changes, but only visible entries can be written. */
export async function writtenTags(seen: LimitedCase): Promise<void> {
  const { random, dates, whole, fileIds, ask } = seen
  const indexingDate = dates.at(-1) ?? ''
  const { volumeId, rows } = random.pick(whole.dates.get(indexingDate) ?? [])
  const [key, row] = random.pick([...rows].filter(([, { parentPath }]) => parentPath !== ''))
  const entry = present(seen, indexingDate).find((one) => one.volumeId === volumeId && one.key === key)
  const isWritable = entry !== undefined && !entry.isAbove
  const path = row.parentPath + row.name
  const selected = { volumeId, path, isDirectory: row.isDirectory }
  const changed = await ask('PUT', '/api/v1/files/tags', { entries: [selected], remove: ['never'] })
  expect({ path, status: changed.status }).toEqual({ path, status: isWritable ? 200 : 404 })
  const { tags = [] } = entry ? withoutHidden(entry) : {}
  const id = fileIds.get(`${volumeId} ${key}`)
  const updated = await ask('PUT', `/api/files/${id}`, { customTag: tags, isDirectory: row.isDirectory })
  expect({ path, status: updated.status }).toEqual({ path, status: isWritable ? 200 : 404 })
}
