import { beforeAll, expect, test } from 'vitest'
import { type DataSource, ReportDraft } from '#events/reports/templates.ts'
import { Criteria } from '#events/search/criteria.ts'
import { configurationKeys } from '#events/configurations.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { knownAt, readFileIds, readHashes, type Tag } from '#server/questions/search/oracle/known.ts'
import { meetsCriteria, type NumberedEntry } from '#server/questions/search/oracle/meets.ts'
import { randomCriteria } from '#server/questions/search/oracle/randomCriteria.ts'
import { newTaggedHistory } from '#server/questions/search/oracle/taggedHistory.ts'
import { identity } from '#server/content/snapshots/oracle/groupsBySorting.ts'
import type { History } from '#server/content/snapshots/oracle/history.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { countEntries } from '#server/questions/selections/index.ts'
import { selectFound } from './selectFound.ts'

const platform = await testPlatform()
const random = newRandom(testSeed(32))
const days = ['2026-01-01', '2026-01-02', '2026-01-20', '2026-02-03', '2026-03-09'].slice(0, cases(2, 5))
type Place = { volumeId: number; path: string }
const projects = new Map<number, Place[]>()
let history: History
let tags: Tag[]
let fileIds: Map<string, string>
let hashes: Map<string, string>

beforeAll(async () => {
  ;({ history, tags } = await newTaggedHistory(platform, random, days, cases(2, 3), cases(200, 70)))
  fileIds = await readFileIds(platform)
  hashes = await readHashes(platform)
  const newest = knownOn(days.at(-1) ?? '')
  for (const name of ['Films', 'Sound', 'Nothing']) await makeProject(name, newest)
})

const knownOn = (date: string): NumberedEntry[] =>
  knownAt(history, tags, date, Number(configurationKeys.deletedFilesNumberOfDays.defaultValue)).map((entry) => ({
    ...entry,
    fileId: fileIds.get(`${entry.volumeId} ${entry.key}`) ?? '',
    hash: hashes.get(identity(entry.row) ?? '') ?? '',
  }))

/** Folders of any storages, or none; they are not nested. */
async function makeProject(name: string, known: NumberedEntry[]): Promise<void> {
  const made = platform.db
    .insertInto('projects')
    .values({ name, description: '', allocatedSize: 1, madeOn: '2026-01-01' })
  const { id } = await made.returning('id').executeTakeFirstOrThrow()
  const folders: Place[] = []
  for (let n = 0; n < (name === 'Nothing' ? 0 : 4); n++) {
    const folder = someFolder(known)
    if (!folders.some((other) => isWithin(folder, other) || isWithin(other, folder))) folders.push(folder)
  }
  projects.set(id, folders)
  const rows = folders.map((folder) => ({ ...folder, projectId: id, isNested: false }))
  if (rows.length > 0) await platform.db.insertInto('projectFolders').values(rows).execute()
}

function someFolder(known: NumberedEntry[]): Place {
  const { volumeId, row, path } = random.pick(known)
  return { volumeId, path: random.chance(0.6) ? '/' : row.isDirectory ? path : row.parentPath.slice(0, -1) || '/' }
}
const isWithin = (one: Place, other: Place) =>
  one.volumeId === other.volumeId && (other.path === '/' || `${one.path}/`.startsWith(`${other.path}/`))
const isBelow = (entry: NumberedEntry, folder: Place) =>
  entry.volumeId === folder.volumeId && (folder.path === '/' || entry.path.startsWith(`${folder.path}/`))

function someSources(known: NumberedEntry[]): DataSource[] {
  return Array.from({ length: 1 + random.below(3) }, (): DataSource => {
    const { volumeId, path } = someFolder(known)
    if (random.chance(0.6)) return { type: 'VOLUME', id: volumeId, path }
    return { type: 'PROJECT', id: random.pick([...projects.keys()]), path }
  })
}

const liesIn = (entry: NumberedEntry, sources: DataSource[]): boolean =>
  sources.some(({ type, id, path }) => {
    if (type === 'VOLUME') return isBelow(entry, { volumeId: id, path })
    const tracked = projects.get(id) ?? []
    return tracked.some((folder) => isBelow(entry, folder)) && isBelow(entry, { volumeId: entry.volumeId, path })
  })

/** The expected results of a report, by plain loops. */
function found(known: NumberedEntry[], { type, parameters }: ReportDraft): NumberedEntry[] {
  const { references, comparison, searchQueryNode } = parameters
  const meets = (entry: NumberedEntry) => !searchQueryNode || meetsCriteria(entry, Criteria.parse(searchQueryNode))
  if (type === 'SEARCH_QUERY') return known.filter(meets)
  const present = known.filter(({ deleted }) => !deleted)
  const reference = present.filter((entry) => liesIn(entry, references))
  const isThere = (entry: NumberedEntry) => {
    const same = identity(entry.row)
    return (
      same !== undefined &&
      reference.some(
        (other) => other !== entry && other.row.isDirectory === entry.row.isDirectory && identity(other.row) === same,
      )
    )
  }
  return present
    .filter((entry) => liesIn(entry, comparison) && meets(entry))
    .filter((entry) => isThere(entry) === (type === 'DUPLICATED'))
}

const nameOf = ({ volumeId, path, row }: NumberedEntry) => `${volumeId} ${row.isDirectory} ${path}`

test('reports of all three types find on any date what plain loops find', async () => {
  const someFound = { DUPLICATED: 0, UNIQUE: 0, SEARCH_QUERY: 0 }
  for (let n = 0; n < cases(20, 450); n++) {
    const date = random.pick([...history.dates.keys()])
    const known = knownOn(date)
    const type = random.pick(['DUPLICATED', 'UNIQUE', 'SEARCH_QUERY'] as const)
    const query = type === 'SEARCH_QUERY' || random.chance(0.3) ? randomCriteria(random, known) : null
    const draft = ReportDraft.safeParse({
      name: 'Any',
      type,
      parameters: { references: someSources(known), comparison: someSources(known), searchQueryNode: query },
    })
    if (!draft.success) continue
    const snapshot = await snapshotAt(platform.db, 'everything', date)
    if (!snapshot) throw new Error(`Nothing on ${date}`)
    const selected = await selectFound(platform, snapshot, draft.data, 'everything')
    const rows = await platform.clickhouse.rows<{ volume: number; is_directory: boolean; path: string }>(sql`
      SELECT volume, is_directory, concat(parent_path, name) AS path FROM ${selected.found.from}
      WHERE ${selected.found.where}`)
    const names = rows.map(({ volume, is_directory, path }) => `${volume} ${is_directory} ${path}`)
    const meant = found(known, draft.data)
    const context = JSON.stringify({ date, draft: draft.data })
    expect({ context, names: names.sort() }).toEqual({ context, names: meant.map(nameOf).sort() })
    const all = known.filter((entry) => !entry.deleted)
    const total = type === 'SEARCH_QUERY' ? all : all.filter((entry) => liesIn(entry, draft.data.parameters.comparison))
    const files = total.filter(({ row }) => !row.isDirectory)
    expect({ context, ...(await countEntries(platform.clickhouse, selected.total)) }).toEqual({
      context,
      files: files.length,
      folders: total.length - files.length,
      bytes: files.reduce((sum, { row }) => sum + Math.max(row.size, 0), 0),
    })
    if (meant.length > 0) someFound[type]++
  }
  expect(Math.min(...Object.values(someFound))).toBeGreaterThan(cases(0, 2))
})
