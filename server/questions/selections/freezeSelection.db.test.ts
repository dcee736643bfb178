import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { configurationKeys } from '#events/configurations.ts'
import { Criteria, WrittenCriteria } from '#events/search/criteria.ts'
import { SearchFilters } from '#events/search/filters.ts'
import type { SelectedEntry, Selection } from '#events/selections.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { chosen } from '#server/questions/search/oracle/chosen.ts'
import { knownAt, readFileIds, readHashes, type Tag } from '#server/questions/search/oracle/known.ts'
import { meetsCriteria, type NumberedEntry } from '#server/questions/search/oracle/meets.ts'
import { randomCriteria } from '#server/questions/search/oracle/randomCriteria.ts'
import { randomFilters } from '#server/questions/search/oracle/randomFilters.ts'
import { newTaggedHistory } from '#server/questions/search/oracle/taggedHistory.ts'
import { identity } from '#server/content/snapshots/oracle/groupsBySorting.ts'
import type { History } from '#server/content/snapshots/oracle/history.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { freezeSelection } from './freezeSelection.ts'
import { countSelection, findSelection, pageOfSelection, type SelectionRow } from './readSelection.ts'

const platform = await testPlatform()
const random = newRandom(testSeed(41))
const days = ['2026-01-01', '2026-01-02', '2026-01-20', '2026-02-03'].slice(0, cases(2, 4))
let history: History
let tags: Tag[]
let fileIds: Map<string, string>
let hashes: Map<string, string>

beforeAll(async () => {
  ;({ history, tags } = await newTaggedHistory(platform, random, days, 3))
  fileIds = await readFileIds(platform)
  hashes = await readHashes(platform)
})

const knownOn = (date: string): NumberedEntry[] =>
  knownAt(history, tags, date, Number(configurationKeys.deletedFilesNumberOfDays.defaultValue)).map((entry) => ({
    ...entry,
    fileId: fileIds.get(`${entry.volumeId} ${entry.key}`) ?? '',
    hash: hashes.get(identity(entry.row) ?? '') ?? '',
  }))

/** A selection that a user could make, its entries by plain loops, and the number of listed ones that are missing. */
function nextSelection(known: NumberedEntry[]): { selection: Selection; meant: NumberedEntry[]; missing: number } {
  const kind = random.pick(['files', 'folders'] as const)
  const isDirectory = kind === 'folders'
  if (random.chance(0.4)) return someListed(known)
  if (random.chance(0.5)) {
    const filters = SearchFilters.parse(randomFilters(random, known, kind))
    return { selection: { filters, isDirectory }, meant: chosen(known, filters, kind) as NumberedEntry[], missing: 0 }
  }
  const criteria = WrittenCriteria.parse(randomCriteria(random, known))
  const isMeant = (entry: NumberedEntry) =>
    entry.row.isDirectory === isDirectory && meetsCriteria(entry, Criteria.parse(criteria))
  return { selection: { criteria, isDirectory }, meant: known.filter(isMeant), missing: 0 }
}

/** Some entries, some of them twice, deleted, or unknown. */
function someListed(known: NumberedEntry[]) {
  const some = Array.from({ length: 1 + random.below(random.chance(0.2) ? 200 : 8) }, () => random.pick(known))
  const unknown = { volumeId: random.pick(known).volumeId, path: `/not here ${random.below(9)}`, isDirectory: true }
  const entries: SelectedEntry[] = some.map(({ volumeId, path, row: { isDirectory } }) => ({
    volumeId,
    path,
    isDirectory,
  }))
  if (random.chance(0.3)) entries.push(unknown, unknown)
  const distinct = new Set(entries.map((entry) => JSON.stringify(entry)))
  const meant = [...new Set(some)].filter(({ deleted }) => !deleted)
  return { selection: { entries }, meant, missing: distinct.size - meant.length }
}

/** The files among entries and below them, each once, by plain loops. */
const expanded = (known: NumberedEntry[], meant: NumberedEntry[]): NumberedEntry[] => {
  const isIn = (file: NumberedEntry) => (folder: NumberedEntry) =>
    !folder.deleted &&
    folder.volumeId === file.volumeId &&
    file.path.startsWith(`${folder.path}/`) &&
    folder.row.isDirectory
  return known.filter(
    (entry) => !entry.deleted && !entry.row.isDirectory && (meant.includes(entry) || meant.some(isIn(entry))),
  )
}

const bytesOf = (text: string) => Buffer.from(text)
const inOrder = (a: NumberedEntry, b: NumberedEntry): number =>
  a.volumeId - b.volumeId ||
  bytesOf(a.row.parentPath).compare(bytesOf(b.row.parentPath)) ||
  bytesOf(a.row.name).compare(bytesOf(b.row.name)) ||
  Number(a.row.isDirectory) - Number(b.row.isDirectory)

const expectedRows = (entries: NumberedEntry[]): SelectionRow[] =>
  entries.toSorted(inOrder).map(({ volumeId, path, row }, index) => ({
    position: index + 1,
    volumeId,
    path,
    isDirectory: row.isDirectory,
    size: row.size,
    modified: row.lastModified,
    part: 0,
    place: '',
    leftOut: '',
  }))

/** The hash as documented, by plain loops. */
function hashOf(rows: SelectionRow[]): string {
  let sum = 0n
  for (const { position, volumeId, path, isDirectory, size, modified, part, place, leftOut } of rows) {
    const inTable = path === '/' ? '' : path
    const lengths = [bytesOf(inTable).length, bytesOf(place).length]
    const numbers = [position, volumeId, isDirectory ? 1 : 0, size, modified, part, ...lengths]
    const digest = createHash('sha256')
      .update(`${numbers.join(' ')} ${inTable}${place}${leftOut}`)
      .digest()
    sum += BigInt(`0x${Buffer.from(digest.toReversed()).toString('hex')}`)
  }
  return (sum % 2n ** 256n).toString(16).padStart(64, '0')
}

/** All rows, page by page. */
async function rowsOf(id: number): Promise<SelectionRow[]> {
  const all: SelectionRow[] = []
  for (let after: number | null = 0; after !== null;) {
    const page = await pageOfSelection(platform.clickhouse, id, { size: 1 + random.below(60), after })
    all.push(...page.rows)
    after = page.cursor
  }
  return all
}

const totals = (rows: SelectionRow[]) => {
  const files = rows.filter(({ isDirectory }) => !isDirectory)
  const bytes = files.reduce((sum, { size }) => sum + Math.max(size, 0), 0)
  return { files: files.length, folders: rows.length - files.length, bytes }
}

test('any selection on any date freezes what plain loops select, with and without the contents of folders', async () => {
  let found = 0
  for (let n = 0; n < cases(24, 400); n++) {
    const at = random.pick(days)
    const known = knownOn(at)
    const { selection, meant, missing } = nextSelection(known)
    const expandFolders = random.chance(0.5)
    const frozen = await freezeSelection(platform, { selection, at, by: system, scope: 'everything', expandFolders })
    const expected = expectedRows(expandFolders ? expanded(known, meant) : meant)
    const context = JSON.stringify({ at, selection, expandFolders })
    const rows = await rowsOf(frozen.id)
    expect({ context, rows }).toEqual({ context, rows: expected })
    expect({ context, ...frozen }).toMatchObject({ context, indexingDate: at, missing, ...totals(expected) })
    expect(frozen.hash).toBe(hashOf(expected))
    found += rows.length
  }
  expect(found).toBeGreaterThan(cases(100, 1_000))
})

test('the root of a storage is all files of the storage', async () => {
  const known = knownOn(days[0] ?? '')
  const volumeId = known[0]?.volumeId ?? 0
  const selection = { entries: [{ volumeId, path: '/', isDirectory: true }] }
  const { id, missing } = await freezeSelection(platform, {
    selection,
    at: days[0],
    by: system,
    scope: 'everything',
    expandFolders: true,
  })
  const files = known.filter((entry) => entry.volumeId === volumeId && !entry.deleted && !entry.row.isDirectory)
  expect([await rowsOf(id), missing]).toEqual([expectedRows(files), 0])
  const alone = await freezeSelection(platform, { selection, at: days[0], by: system, scope: 'everything' })
  expect(await rowsOf(alone.id)).toMatchObject([{ position: 1, volumeId, path: '/', isDirectory: true }])
})

test('a plan is made while freezing, and entries are counted by the reason why they are left out', async () => {
  const plan = () => ({
    part: sql`intDiv(position - 1, 10)`,
    place: sql`concat('/mnt', path)`,
    leftOut: sql`if(size < 0, 'Unknown size', if(size = 0, 'Empty file', ''))`,
  })
  const selection = { filters: SearchFilters.parse({}), isDirectory: false }
  const { id, hash } = await freezeSelection(platform, { selection, by: system, scope: 'everything', plan })
  const rows = await rowsOf(id)
  const reason = (size: number) => (size < 0 ? 'Unknown size' : size === 0 ? 'Empty file' : '')
  expect(rows.length).toBeGreaterThan(20)
  for (const { position, path, size, part, place, leftOut } of rows)
    expect([part, place, leftOut]).toEqual([Math.floor((position - 1) / 10), `/mnt${path}`, reason(size)])
  expect(hash).toBe(hashOf(rows))
  const counted = (wanted: string) => totals(rows.filter(({ leftOut }) => leftOut === wanted))
  const reasons = [...new Set(rows.map(({ leftOut }) => leftOut))].filter((each) => each !== '').sort()
  expect(await countSelection(platform.clickhouse, id)).toEqual({
    kept: counted(''),
    leftOut: reasons.map((reason) => ({ reason, ...counted(reason) })),
  })
  const part = await pageOfSelection(platform.clickhouse, id, { size: 50, part: 1, isLeftOut: false })
  expect(part).toEqual({ rows: rows.filter((row) => row.part === 1 && row.leftOut === ''), cursor: null })
})

test('a selection that is frozen again replaces its rows and its totals', async () => {
  const all = { filters: SearchFilters.parse({}), isDirectory: false }
  const none = { filters: SearchFilters.parse({ name: 'nothing has this name' }), isDirectory: false }
  const { id } = await freezeSelection(platform, { selection: all, by: system, scope: 'everything' })
  const again = await freezeSelection(platform, { selection: none, by: system, scope: 'everything', id })
  expect(again).toMatchObject({ id, files: 0, folders: 0, bytes: 0, hash: '0'.repeat(64) })
  expect(await findSelection(platform.db, id)).toEqual(again)
  expect(await rowsOf(id)).toEqual([])
})
