import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plausibleTime } from '#events/scans/plausibleTime.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { contradictions, isEntry, isUnchanged, pathOf, type Row } from '#agent/testing/decodeRows.ts'
import { makeOddTree } from '#agent/testing/oddTree.ts'
import { orderOf, testProduct, walked } from '#agent/testing/walked.ts'
import type { WayToWalk } from '../folders/messages.ts'
import { openDigests } from './openDigests.ts'

/** The order in which an agent scans one volume again and again, and what it sends. */
function scanning(root: string) {
  const state = testFolder('state')
  let scan = 0
  let known: { scan: number; baseline: string } | undefined
  return {
    file: join(state, 'digests', testProduct, '1'),
    known: () => known,
    async scan(
      changes: Partial<ScanOrder> = {},
      { isCheck = false, ends = true, way = undefined as WayToWalk | undefined } = {},
    ) {
      const compareWith = known && { compareWith: { ...known, isCheck } }
      const order = orderOf(root, { scanId: ++scan, ...compareWith, ...changes })
      const digests = await openDigests(state, order)
      const { rows, counts } = await walked(order, [], { digests, way })
      const kept = await digests?.finish()
      if (kept && ends) {
        await digests?.keep()
        known = { scan, baseline: kept }
      }
      await digests?.close()
      expect(contradictions(rows)).toEqual([])
      return { rows, counts, same: rows.filter(isUnchanged).map(pathOf).sort() }
    },
  }
}

const isFile = (row: Row) => isEntry(row) && row.is_directory === '0'
/** A file as a version of it is compared: without inode, and without the access of a link, which the scan itself is. */
const factsOf = ({ batch: _, attempt: __, inode: ___, device: ____, ...row }: Row) =>
  JSON.stringify({ ...row, accessed: row.link_target === '' ? row.accessed : '' })

/** Folders with files, all with dates that they keep when they are read. */
function treeOf(folders: string[]): string {
  const root = testFolder()
  for (const folder of folders) {
    mkdirSync(join(root, folder), { recursive: true })
    for (const name of ['one', 'two']) {
      writeFileSync(join(root, folder, name), folder)
      utimesSync(join(root, folder, name), 1_500_000_000, 1_400_000_000)
    }
  }
  return root
}

test('dates that cannot be right are not the newest ones of a folder that is as it was', async () => {
  const root = treeOf(['a'])
  utimesSync(join(root, 'a/two'), new Date('2099-01-01T00:00:00Z'), new Date('2099-01-01T00:00:00Z'))
  const volume = scanning(root)
  await volume.scan()
  const { rows } = await volume.scan()
  const mark = { accessed: '1500000000', modified: '1400000000' }
  expect(rows.find((row) => isUnchanged(row) && pathOf(row) === '/a')).toMatchObject(mark)
})

test('an unchanged folder costs one row with the totals of its files', async () => {
  const root = treeOf(['a', 'a/b'])
  utimesSync(join(root, 'a/two'), new Date(1_600_000_000_000), new Date(-86_400_000))
  const volume = scanning(root)
  expect((await volume.scan()).same).toEqual([])
  const { rows, counts, same } = await volume.scan()
  expect(same).toEqual(['/a', '/a/b'])
  expect(rows.filter(isFile)).toEqual([])
  expect(counts).toMatchObject({ entries: 7, directories: 3, bytes: 2 * 1 + 2 * 3 })
  expect(rows.find((row) => isUnchanged(row) && pathOf(row) === '/a')).toMatchObject({
    files: '2',
    compared_scan: '1',
    size: '2',
    accessed: '1600000000',
    modified: '1400000000',
  })
})

const changes: Record<string, (folder: string) => void> = {
  'is written to': (folder) => appendFileSync(join(folder, 'one'), 'x'),
  'was only accessed': (folder) => utimesSync(join(folder, 'one'), 1_500_000_001, 1_400_000_000),
  'has another mode': (folder) => chmodSync(join(folder, 'one'), 0o600),
  'is gone': (folder) => unlinkSync(join(folder, 'one')),
  'has another name': (folder) => renameSync(join(folder, 'one'), join(folder, 'other')),
  'is new': (folder) => writeFileSync(join(folder, 'three'), ''),
  'has a second link': (folder) => linkSync(join(folder, 'one'), join(folder, '../a/link')),
}
test.each(Object.keys(changes))('a folder in which a file %s is sent in full', async (change) => {
  const root = treeOf(['a', 'b'])
  const volume = scanning(root)
  await volume.scan()
  changes[change]?.(join(root, 'b'))
  const { rows, same } = await volume.scan()
  expect(same).not.toContain('/b')
  expect(rows.filter(isFile).some((row) => row.parent_path === '/b/')).toBe(true)
})

test('a link that was only read through is as it was', async () => {
  const root = treeOf(['a'])
  symlinkSync('one', join(root, 'a/link'))
  const volume = scanning(root)
  await volume.scan()
  lutimesSync(join(root, 'a/link'), 5, 6)
  expect((await volume.scan()).same).toEqual([])
  lutimesSync(join(root, 'a/link'), 7, 6)
  expect((await volume.scan()).same).toEqual(['/a'])
})

test('in a scan that checks, the files are sent besides', async () => {
  const root = treeOf(['a', 'b'])
  const volume = scanning(root)
  await volume.scan()
  appendFileSync(join(root, 'b/one'), 'x')
  const { rows, same } = await volume.scan({}, { isCheck: true })
  expect(same).toEqual([])
  expect(rows.filter(({ kind }) => kind === '5').map((row) => [pathOf(row), row.compared_scan, row.files])).toEqual([
    ['/a', '1', '0'],
  ])
  expect(rows.filter(isFile)).toHaveLength(4)
  expect((await volume.scan()).same).toEqual(['/a', '/b'])
})

test('digests of another scan, of other rules, or none are of no use', async () => {
  const root = treeOf(['a', 'b'])
  const volume = scanning(root)
  await volume.scan()
  await volume.scan()
  const known = volume.known() as NonNullable<ReturnType<typeof volume.known>>
  const same = async (order: Partial<ScanOrder>) => (await volume.scan(order, { ends: false })).same
  expect(await same({})).toEqual(['/a', '/b'])
  expect(await same({ compareWith: { ...known, scan: 1, isCheck: false } })).toEqual([])
  expect(await same({ compareWith: { ...known, baseline: 'x'.repeat(64), isCheck: false } })).toEqual([])
  expect(await same({ volumeId: 2 })).toEqual([])
  expect(await same({ ignoredPaths: ['/b'] })).toEqual([])
  expect(await same({ withoutOwners: true })).toEqual([])
  expect(await same({})).toEqual(['/a', '/b'])
  rmSync(volume.file)
  expect(await same({})).toEqual([])
})

test('digests of another product are of no use, and are removed', async () => {
  const volume = scanning(treeOf(['a', 'b']))
  await volume.scan()
  await volume.scan()
  const other = '00000000-0000-4000-8000-000000000002'
  expect((await volume.scan({ product: other }, { ends: false })).same).toEqual([])
  expect(existsSync(volume.file)).toBe(false)
  expect((await volume.scan()).same).toEqual([])
  expect((await volume.scan()).same).toEqual(['/a', '/b'])
})

test('a folder that takes no files does not keep a scan from its end', async () => {
  const state = join(testFolder(), 'a file')
  writeFileSync(state, '')
  expect(await openDigests(state, orderOf('/'))).toBeUndefined()
})

test('known and sent files together equal a full walk of a changing tree', async () => {
  const root = testFolder()
  makeOddTree(root)
  for (let n = 0; n < 300; n++) {
    const folder = join(root, `many/${n % 40}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `file ${n}`), 'x'.repeat(n))
  }
  const random = newRandom(3)
  const volume = scanning(root)
  let before = new Map<string, string[]>()
  for (let n = 0; n < cases(2, 30); n++) {
    const { rows, same } = await volume.scan()
    const files = Map.groupBy(rows.filter(isFile), (row) => row.parent_path)
    const now = new Map([...files].map(([path, rows]) => [path, rows.map(factsOf).sort()]))
    for (const path of same) now.set(`${path}/`, before.get(`${path}/`) ?? [])
    const full = Map.groupBy((await walked(orderOf(root))).rows.filter(isFile), (row) => row.parent_path)
    expect(now).toEqual(new Map([...full].map(([path, rows]) => [path, rows.map(factsOf).sort()])))
    expect(same.length > 40).toBe(n > 0)
    for (const mark of rows.filter(isUnchanged)) expect(mark).toMatchObject(comeTo(full.get(`${pathOf(mark)}/`) ?? []))
    before = now
    for (let change = 0; change < 5; change++) changes[random.pick(Object.keys(changes))]?.(oneMore(root, random))
  }
})

type Random = ReturnType<typeof newRandom>
/** A folder with a file that may be changed. */
function oneMore(root: string, random: Random): string {
  const folder = join(root, `many/${random.below(40)}`)
  mkdirSync(join(root, 'many/a'), { recursive: true })
  rmSync(join(root, 'many/a/link'), { force: true })
  writeFileSync(join(folder, 'one'), 'x')
  return folder
}

function comeTo(rows: Row[]) {
  const sum = (column: 'size' | 'allocated_size') => rows.reduce((total, row) => total + Number(row[column]), 0)
  const newest = (of: (row: Row) => string) =>
    String(Math.max(...rows.map((row) => plausibleTime(Number(of(row)), Date.now() / 1000))))
  return {
    files: String(rows.length),
    size: String(sum('size')),
    allocated_size: String(sum('allocated_size')),
    accessed: newest((row) => (row.link_target === '' ? row.accessed : row.modified)),
    modified: newest((row) => row.modified),
  }
}
