import { expect, test } from 'vitest'
import { sql, text } from '#server/platform/clickhouse/sql.ts'
import { testClickHouse } from '#server/platform/testing/stores.ts'
import { encodeEntry, encodeListed, encodeUnreadable, entryColumns, type EntryRow, pathOfChildren } from './entryRow.ts'

const id = { attempt: 2, batch: 7 }
const file: EntryRow = {
  parentPath: '/a/',
  name: 'file',
  isDirectory: false,
  size: 1_000,
  allocatedSize: 4_096,
  linkCount: 2,
  device: 18_446_744_073_709_551_615n,
  inode: 9_007_199_254_740_993n,
  owner: 'root',
  group: 'staff',
  mode: 0o100644,
  linkTarget: '',
  created: 0,
  modified: -1,
  accessed: 9_999_999_999,
}

/** What the engine reads of lines: it is the judge of the codec. */
async function read(lines: string): Promise<Record<string, unknown>[]> {
  const clickhouse = await testClickHouse()
  const columns = entryColumns.map(([column, type]) => `\`${column}\` ${type}`).join(', ')
  await clickhouse.command(text('DROP TABLE IF EXISTS crossed'))
  await clickhouse.command(text(`CREATE TABLE crossed (at UInt32 DEFAULT 0, ${columns}) ENGINE = Memory`))
  const names = entryColumns.map(([column]) => column)
  await clickhouse.insert('crossed', names, Buffer.from(lines), 'token')
  return clickhouse.rows(
    sql`SELECT * EXCEPT (at, device, inode), toString(device) AS device, toString(inode) AS inode FROM crossed`,
  )
}

test('an entry is read as it was written', async () => {
  const [row] = await read(encodeEntry(id, file))
  expect(row).toMatchObject({
    attempt: 2,
    batch: 7,
    kind: 0,
    parent_path: '/a/',
    name: 'file',
    is_directory: false,
    link_count: 2,
    device: '18446744073709551615',
    inode: '9007199254740993',
    owner: 'root',
    group: 'staff',
    mode: 0o100644,
    link_target: '',
    metadata: {},
  })
  const numbers = ['size', 'allocated_size', 'created', 'modified', 'accessed', 'backup_date', 'children']
  expect(numbers.map((name) => Number(row?.[name]))).toEqual([1_000, 4_096, 0, -1, 9_999_999_999, 0, 0])
})

const odd = [
  '\t',
  '\n',
  '\r',
  '\\',
  '\0',
  '\b',
  '\f',
  '\\N',
  '\\t',
  "'",
  '"',
  '`',
  '',
  '\u2028',
  '\uefff',
  '😀',
  ';\n\nDROP',
]

test('text with any character is read as it was written, and stays on its line', async () => {
  const rows = odd.map((name) => ({
    ...file,
    parentPath: `/${name}/`,
    name,
    linkTarget: name,
    owner: name,
    group: name,
  }))
  const crossed = await read(rows.map((row) => encodeEntry(id, row)).join(''))
  for (const column of ['name', 'link_target', 'owner', 'group']) expect(crossed.map((row) => row[column])).toEqual(odd)
  expect(crossed.map((row) => row['parent_path'])).toEqual(rows.map(({ parentPath }) => parentPath))
})

test('metadata is read as it was written', async () => {
  const metadata = Object.fromEntries(odd.map((text, i) => [`${i}${text}`, text]))
  const [row] = await read(encodeEntry(id, { ...file, metadata, etag: 'e', storageClass: 'COLD', backupDate: 5 }))
  expect(row).toMatchObject({ metadata, etag: 'e', storage_class: 'COLD' })
  expect(Number(row?.['backup_date'])).toBe(5)
})

test('the end of a listing carries its children and the files that have no row', async () => {
  const folder = { parentPath: '/a/', name: 'b' }
  const [listed, unreadable] = await read(
    encodeListed(id, folder, 3, { files: 2, size: 10, allocatedSize: 512 }) + encodeUnreadable(id, folder),
  )
  expect(listed).toMatchObject({ kind: 1, parent_path: '/a/', name: 'b', is_directory: true, link_count: 2 })
  expect(['size', 'allocated_size', 'children'].map((name) => Number(listed?.[name]))).toEqual([10, 512, 3])
  expect(unreadable).toMatchObject({ kind: 2, name: 'b', is_directory: true, link_count: 0 })
  expect(pathOfChildren(folder)).toBe('/a/b/')
  expect(pathOfChildren({ parentPath: '', name: '' })).toBe('/')
})
