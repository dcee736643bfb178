import { execFileSync } from 'node:child_process'
import { constants, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bytesOfName } from '#events/contract/fileNames.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { contradictions, isEntry, isListed, pathOf, type Row, totals } from '#agent/testing/decodeRows.ts'
import { find, type FindEntry, totalsOfFind } from '#agent/testing/find.ts'
import { deepName, makeDeepTree, makeOddTree, oddDates } from '#agent/testing/oddTree.ts'
import { orderOf, walked } from '#agent/testing/walked.ts'
import { walkFolders } from './walkFolders.ts'
import { cases, isLong } from '#server/platform/testing/cases.ts'

const kinds: Record<number, string> = {
  [constants.S_IFREG]: 'f',
  [constants.S_IFDIR]: 'd',
  [constants.S_IFLNK]: 'l',
  [constants.S_IFIFO]: 'p',
}
const byPath = (a: FindEntry, b: FindEntry) => (a.path < b.path ? -1 : 1)
const asBytes = (text: string) => bytesOfName(text).toString('latin1')

/** A row in the words of find. */
function inWordsOfFind(row: Row): FindEntry {
  const kind = kinds[Number(row.mode) & constants.S_IFMT] ?? '?'
  return {
    path: asBytes(pathOf(row).slice(1)),
    kind,
    size: row.size,
    allocated: Number(row.allocated_size),
    links: row.link_count,
    inode: row.inode,
    device: row.device,
    user: row.owner,
    group: row.group,
    mode: (Number(row.mode) & 0o7777).toString(8),
    modified: row.modified,
    accessed: kind === 'f' ? row.accessed : '',
    target: asBytes(row.link_target),
  }
}

test('every entry of an odd tree is what find says it is, and nothing is missing or doubled', async () => {
  const root = testFolder()
  makeOddTree(root)
  execFileSync('mkfifo', [join(root, 'pipe')])
  const found = find(root).map((entry) => ({ ...entry, accessed: entry.kind === 'f' ? entry.accessed : '' }))
  const { rows, unreadable, counts } = await walked(orderOf(root))
  expect(rows.filter(isEntry).map(inWordsOfFind).sort(byPath)).toEqual(found.sort(byPath))
  expect(contradictions(rows)).toEqual([])
  expect(unreadable).toEqual([])
  const { files, folders, bytes } = totalsOfFind(found)
  const none = { unreadable: 0, queued: 0, withoutBlocks: 0, withBlocks: 0 }
  expect(counts).toEqual({ entries: files + folders, directories: folders, bytes, ...none })
})

test('folders that are deeper than a path may be long are scanned like others', async () => {
  const root = testFolder()
  makeDeepTree(root, 40)
  const { rows, unreadable } = await walked(orderOf(root))
  const folders = rows.filter(isListed).map(pathOf)
  const deepFolder = folders.find((path) => path.length === 40 * 251) ?? ''
  const resumed = await walked(orderOf(root, { pending: [deepFolder, `${deepFolder}/gone`] }))
  execFileSync('rm', ['-rf', join(root, deepName)])
  expect(unreadable).toEqual([])
  expect(totals(rows)).toEqual({ files: 40, folders: 41, bytes: 40 * 4 })
  expect(contradictions(rows)).toEqual([])
  expect(resumed.rows.map(({ kind, name }) => [kind, name]).sort()).toEqual([
    ['0', 'file'],
    ['1', deepName],
    ['1', 'gone'],
  ])
})

test('dates before 1970, of 0 and 1, and after 2106 cross as they are', async () => {
  const root = testFolder()
  makeOddTree(root)
  const { rows } = await walked(orderOf(root))
  const dates = rows.filter(({ parent_path }) => parent_path === '/dates/')
  expect(dates.map(({ modified }) => Number(modified)).sort((a, b) => a - b)).toEqual(oddDates)
  expect(dates.every(({ name, modified, accessed }) => name === modified && name === accessed)).toBe(true)
})

test('the totals of many folders equal those of find, in batches without a gap', async () => {
  const root = isLong ? '/usr' : join(import.meta.dirname, '../../../node_modules/@mantine')
  const { rows, batches, numbers } = await walked(orderOf(root, { threads: 3 }))
  expect(totals(rows)).toEqual(totalsOfFind(find(root, '-xdev')))
  expect(contradictions(rows)).toEqual([])
  expect(numbers).toEqual(Array.from({ length: batches }, (_, i) => i + 1))
})

test('a storage that is a symbolic link is what the link leads to', async () => {
  const folder = testFolder()
  mkdirSync(join(folder, 'real'))
  writeFileSync(join(folder, 'real/file'), '')
  symlinkSync('real', join(folder, 'link'))
  const { rows } = await walked(orderOf(join(folder, 'link/')))
  expect(rows.filter(isEntry).map(pathOf)).toEqual(['', '/file'])
})

test('a scan of a part sends the way to it, and of that only the entries', async () => {
  const root = testFolder()
  makeOddTree(root)
  const { rows } = await walked(orderOf(root, { scannedPath: '/a/b' }))
  const below = find(join(root, 'a/b')).map(({ path }) => (path ? `/a/b/${path}` : '/a/b'))
  expect(rows.filter(isEntry).map(pathOf).sort()).toEqual(['', '/a', ...below].sort())
  expect(rows.filter(isListed).map(pathOf)).not.toContain('/a')
  expect(contradictions(rows, '/a/b')).toEqual([])
})

test('a scan of a part that is gone says that nothing is there', async () => {
  const root = testFolder()
  const { rows } = await walked(orderOf(root, { scannedPath: '/gone' }))
  expect(rows.map(({ kind, children }) => [kind, children])).toEqual([
    ['0', '0'],
    ['1', '0'],
  ])
  expect(rows.map(pathOf)).toEqual(['', '/gone'])
})

test('a resumed scan lists the folders that are left, page by page, with all below them', async () => {
  const root = testFolder()
  for (let i = 0; i < 60; i++) mkdirSync(join(root, `folder ${i}/below`), { recursive: true })
  const all = Array.from({ length: 60 }, (_, i) => `/folder ${i}`).sort()
  const page = (from: number) => ({ pending: all.slice(from, from + 20), morePending: Math.max(0, 40 - from) })
  const { rows } = await walked(orderOf(root, page(0)), [page(20), page(40)])
  expect(rows.filter(isEntry).map(pathOf).sort()).toEqual(all.map((path) => `${path}/below`))
  expect(rows.filter(isListed)).toHaveLength(120)
})

test('a resumed scan ends for a folder that is gone or a file by now', async () => {
  const root = testFolder()
  writeFileSync(join(root, 'file'), '')
  const { rows, unreadable } = await walked(orderOf(root, { pending: ['/file', '/gone/too'] }))
  expect(rows.map((row) => [pathOf(row), row.kind, row.children]).sort()).toEqual([
    ['/file', '1', '0'],
    ['/gone/too', '1', '0'],
  ])
  expect(unreadable).toEqual([])
})

/** Files and folders below a folder that this process has open. */
function openBelow(root: string): string[] {
  const targetOf = (fd: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  }
  return readdirSync('/proc/self/fd')
    .map(targetOf)
    .filter((path) => path.startsWith(root))
}

test.runIf(process.platform === 'linux')(
  'a scan that is stopped in the middle of folders leaves none of them open',
  async () => {
    const root = testFolder()
    for (const folder of ['a', 'b', 'c', 'd']) {
      mkdirSync(join(root, folder))
      for (let n = 0; n < 2_000; n++) writeFileSync(join(root, folder, String(n)), '')
    }
    for (let n = 0; n < cases(6, 20); n++) {
      const stopping = new AbortController()
      const listener = {
        batch: async () => {},
        unreadable: () => {},
        progressed: () => stopping.abort(new Error('Enough')),
      }
      const nextPage = async () => ({ pending: [], morePending: 0 })
      const order = orderOf(root, { pending: ['/a', '/b', '/c', '/d'] })
      await expect(walkFolders(order, root, { listener, nextPage, signal: stopping.signal })).rejects.toThrow('Enough')
    }
    expect(openBelow(root)).toEqual([])
  },
)
