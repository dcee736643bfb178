import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type FindEntry, find, totalsOfFind } from '#agent/testing/find.ts'
import { makeOddTree } from '#agent/testing/oddTree.ts'
import { Dashboard } from '#events/dashboard.ts'
import { bytesOfName } from '#events/contract/fileNames.ts'
import { isPackedDate } from '#events/scans/packedDates.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { copyMigratedEngine, testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { countedLast } from '#server/content/snapshots/duplicates/duplicatesOfScans.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { groupsAt } from '#server/content/snapshots/duplicates/groupVersions.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { makeTree } from './testing/tree.ts'
import { type Product, type Starting, startProduct } from './testing.ts'
import { cases, isLong } from '#server/platform/testing/cases.ts'

const scratch = testFolder('exactness')
const tree = join(scratch, 'tree')
const locked = join(tree, 'locked')
const data = join(scratch, 'data')
const db = await testDb()
const environment = { DATABASE_URL: await testDatabaseUrl() }
let product: Product | undefined
afterAll(async () => {
  await product?.stop()
  chmodSync(locked, 0o700)
})

const start = (starting: Starting = {}) => startProduct(data, { ...starting, environment })

const many = cases(1_000, 99_500)
const system = isLong ? '/usr/lib' : join(import.meta.dirname, '../../node_modules/@aws-sdk')
makeOddTree(join(tree, 'odd'))
makeTree(join(tree, 'many'), many)
mkdirSync(locked)
writeFileSync(join(locked, 'secret'), 'not to be read')
chmodSync(locked, 0)

/** Entries according to find, with paths as in the product, without the locked folder's content. */
const seen = () =>
  find(tree)
    .map((found) => ({ ...found, path: found.path && `/${found.path}` }))
    .filter(({ path }) => !path.startsWith('/locked/'))

const yesterday = new Date(Date.now() - 86_400_000).toLocaleDateString('en-CA')
let first: Entry[] = []

test('totals and folder sizes of many entries equal those of find, and duplicates those that sorting finds', async () => {
  await copyMigratedEngine(join(data, 'clickhouse'))
  product = await start({ folder: tree, boundByPermissions: true })
  const usr = await product.addStorage({ name: 'usr', path: system })
  await allOver()
  await product.call('POST', '/v1/scans/volumes/ids', [usr])
  await allOver()
  const [found, ofSystem] = [seen(), find(system)]
  expect(found.length).toBeGreaterThan(many)
  expect(await storage('tree')).toMatchObject({ ...totalsBy(found), isPartial: true })
  expect(await storage('usr')).toMatchObject(totalsBy(ofSystem))
  const { answer } = await product.call('GET', '/volumeSettings')
  const noCosts = expect.objectContaining({ description: 'No costs' })
  expect((answer as { elements: object[] }).elements).toContainEqual(expect.objectContaining({ storagePrice: noCosts }))
  await product.stop()
  first = await entriesOf(1)
  expect(first).toEqual(entriesBy(found))
  expect(await duplicates()).toEqual(duplicatesBy([...found, ...ofSystem]))
})

test('a scan after 1,000 changes makes exactly these versions, and the first snapshot answers as before', async () => {
  await db.updateTable('scans').set({ indexingDate: yesterday }).execute()
  await db.updateTable('snapshots').set({ indexingDate: yesterday }).execute()
  changeThousand()
  product = await start({ boundByPermissions: true })
  await product.call('POST', '/v1/scans/volumes/ids', [1])
  await allOver()
  await product.stop()
  expect(await entriesOf(1)).toEqual(entriesBy(seen()))
  expect(await entriesOf(1, yesterday)).toEqual(first)
  expect(await fileVersions()).toEqual({ new: 750, changed: 250, deleted: 250, moved: 250 })
})

/** Creates, changes, deletes and renames 250 files each. */
function changeThousand(): void {
  const folders = Array.from({ length: 10 }, (_, i) => join(tree, `many/project_0000/shot_0000/v000${i}`))
  for (const folder of folders) {
    const files = readdirSync(folder).sort()
    for (let i = 0; i < 25; i++) {
      writeFileSync(join(folder, `created-${i}`), `new ${i}`)
      writeFileSync(join(folder, files[i] ?? ''), 'changed', { flag: 'a' })
      rmSync(join(folder, files[i + 25] ?? ''))
      renameSync(join(folder, files[i + 50] ?? ''), join(folder, `renamed-${i}`))
    }
  }
}

/** Waits until no scan is waiting or running. */
async function allOver(): Promise<void> {
  const open = () => db.selectFrom('scans').select('id').where('finishedAt', 'is', null).executeTakeFirst()
  while (await open()) await new Promise((resolve) => setTimeout(resolve, 50))
}

async function storage(name: string) {
  const { answer } = (await product?.call('GET', '/v1/dashboard')) ?? {}
  return Dashboard.parse(answer).storages.find((storage) => storage.name === name)
}

/** Totals as on the dashboard: the storage itself is not counted as a folder, and hard links of a file count once in the size. */
function totalsBy(found: FindEntry[]) {
  const { files, folders } = totalsOfFind(found)
  return { numberOfFiles: files, numberOfFolders: folders - 1, sizeOfFiles: sizesBelow(found.map(inRoot)).get('') ?? 0 }
}

const inRoot = (found: FindEntry): FindEntry => ({ ...found, path: found.path.replace(/^\/?/, '/') })

/** Bytes below each folder, as `du --apparent-size` counts those of files: each hard link of a file once. */
function sizesBelow(found: FindEntry[]): Map<string, number> {
  const below = new Map<string, number>()
  const counted = new Set<string>()
  for (const { path, size, device, inode } of found.filter(({ kind }) => kind !== 'd'))
    for (let end = path.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end)
      const link = `${device} ${inode} ${folder}`
      if (!counted.has(link)) below.set(folder, (below.get(folder) ?? 0) + Number(size))
      counted.add(link)
    }
  return below
}

/** Paths are byte strings, one byte per character; the size of a folder is that of everything below it. */
type Entry = { path: string; isDirectory: boolean; size: number }
const byPath = (a: Entry, b: Entry) => (a.path < b.path ? -1 : 1)

function entriesBy(found: FindEntry[]): Entry[] {
  const below = sizesBelow(found)
  return found
    .map(({ path, kind, size }) => ({
      path,
      isDirectory: kind === 'd',
      size: kind === 'd' ? (below.get(path) ?? 0) : Number(size),
    }))
    .sort(byPath)
}

/** Queries the engine after the product has closed it. */
async function ask<T>(question: Sql): Promise<T[]> {
  const clickhouse = await openClickHouse(`chdb:${join(data, 'clickhouse')}`)
  return clickhouse.rows<T>(question).finally(() => clickhouse.close())
}

async function entriesOf(volume: number, date?: string): Promise<Entry[]> {
  const snapshot = await snapshotAt(db, 'everything', date)
  if (!snapshot) throw new Error('There is no snapshot')
  const rows = await ask<Entry>(sql`
    SELECT concat(parent_path, name) AS path, is_directory AS isDirectory, size
    FROM ${entriesAt(snapshot)} WHERE volume = ${volume}`)
  return rows.map((row) => ({ ...row, path: bytesOfName(row.path).toString('latin1') })).sort(byPath)
}

type Duplicates = { groups: number; copies: number; bytes: number }

const duplicates = async (): Promise<Duplicates | undefined> => {
  const { versions } = await countedLast(db)
  const [counted] = await ask<Duplicates>(sql`
    SELECT toFloat64(count()) AS groups, toFloat64(sum(g.copies)) AS copies, toFloat64(sum(g.bytes)) AS bytes
    FROM ${groupsAt(versions)} AS g WHERE NOT g.is_directory`)
  return counted
}

/** Files with the same name, size and modification time, unless packagers wrote that, grouped by sorting. */
function duplicatesBy(found: FindEntry[]): Duplicates {
  const keys = found
    .filter(
      ({ kind, size, modified }) => kind !== 'd' && Number(size) > 0 && !isPackedDate(Math.floor(Number(modified))),
    )
    .map(({ path, size, modified }) => `${path.slice(path.lastIndexOf('/') + 1)}\0${size}\0${shown(modified)}`)
    .sort()
  const counted = { groups: 0, copies: 0, bytes: 0 }
  for (let from = 0, to = 0; from < keys.length; from = to) {
    while (keys[to] === keys[from] && to < keys.length) to++
    if (to - from < 2) continue
    counted.groups++
    counted.copies += to - from
    counted.bytes += (to - from) * Number(keys[from]?.split('\0')[1])
  }
  return counted
}

/** Times are clamped to 1970–2106. */
const shown = (seconds: string) => Math.min(Math.max(Number(seconds), 0), 4_294_967_295)

/** Number of file versions that the second scan created, and how the previous ones ended. */
async function fileVersions(): Promise<Record<string, number>> {
  const rows = await ask<{ what: string; versions: number }>(sql`
    SELECT 'new' AS what, toFloat64(count()) AS versions FROM entries
    WHERE volume = 1 AND NOT is_directory AND from_scan = (SELECT max(from_scan) FROM entries WHERE volume = 1)
    UNION ALL
    SELECT toString(ended), toFloat64(count()) FROM entry_history WHERE volume = 1 AND NOT is_directory GROUP BY ended`)
  return Object.fromEntries(rows.map(({ what, versions }) => [what, versions]))
}
