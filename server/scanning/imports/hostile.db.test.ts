import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { commitImport as commitRows, recoverLeftovers } from '#server/content/snapshots/index.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { importRoutes, startImports } from './index.ts'
import { commitAndWait, findExport, newTree, upload } from './testing.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, importRoutes(platform)), await testSession(platform.db, ['ROLE_ADMIN']))
const random = newRandom(13)
const query = { date: '2025-03-01', format: 'find' }
const tree = newTree(random, 50)

const tablesOfImports = async (id: number) =>
  (await platform.clickhouse.tables()).filter((table) => table.endsWith(`_${id}`))

test.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
  ['nothing', (bytes: Buffer) => bytes],
])('files packed by %s are read', async (name, pack) => {
  const storageId = await newVolume(platform, `Packed by ${name}`)
  const found = await upload(ask, { storageId, ...query }, pack(findExport(random, tree)))
  expect(found).toMatchObject({
    state: 'READY',
    counts: { files: [...tree.values()].filter(({ isDirectory }) => !isDirectory).length },
  })
})

const gzipped = gzipSync(findExport(random, tree))
test.each([
  ['a file that leads out', Buffer.from('f\t1\t1\t1\t1\ta\tb\t644\t1\t1\t1\t/mnt/../etc/passwd\0'), ''],
  ['a file without entries', Buffer.from('\n'), ''],
  ['a damaged file', gzipped.subarray(0, gzipped.length / 2), "gzip can't unpack it"],
  [
    'a bomb',
    zstdCompressSync(
      Buffer.alloc(80 * 1024 * 1024, `f\t1\t8\t1\t1\tana\tstaff\t644\t1\t1\t1\t/mnt/films/${'x'.repeat(3_000)}\0`),
    ),
    '200 times',
  ],
])('%s fails with the reason, and leaves nothing', async (name, file, reason) => {
  const storageId = await newVolume(platform, name)
  const found = await upload(ask, { storageId, ...query }, file)
  expect(found).toMatchObject({ state: 'FAILED', reason: expect.stringContaining(reason) })
  expect(found.reason).not.toContain('The log of the server')
  expect(await tablesOfImports(found.id)).toEqual([])
  await ask('PUT', `/api/v1/imports/${found.id}/commit`).expect(409)
  await ask('DELETE', `/api/v1/imports/${found.id}`).expect(204)
  await ask('GET', `/api/v1/imports/${found.id}`).expect(404)
})

test('paths that are listed twice count once, and are reported', async () => {
  const storageId = await newVolume(platform, 'Twice')
  const file = findExport(random, tree)
  const found = await upload(ask, { storageId, ...query }, Buffer.concat([file, file]))
  expect(found).toMatchObject({ state: 'READY', unreadableLines: { count: tree.size } })
  await commitAndWait(ask, found.id)
  expect((await readRows(platform, storageId, query.date)).size).toBe(tree.size)
})

test('an import whose server died while it read fails, and a commit that was interrupted is completed', async () => {
  const storageId = await newVolume(platform, 'Interrupted')
  const [reading, committing] = [
    await upload(ask, { storageId, ...query }, findExport(random, tree)),
    await upload(ask, { storageId, ...query, date: '2025-04-01' }, findExport(random, tree)),
  ]
  const set = (id: number, state: 'READING' | 'COMMITTING') =>
    platform.db
      .updateTable('imports')
      .set({ state, seenAt: new Date(0) })
      .where('id', '=', id)
      .execute()
  await set(reading.id, 'READING')
  await set(committing.id, 'COMMITTING')
  const row = { id: committing.id, volumeId: storageId, indexingDate: '2025-04-01' }
  const killed = commitRows(platform, row, { format: 'find', missing: [] }, () => Promise.reject(new Error('killed')))
  await expect(killed).rejects.toThrow('killed')
  expect((await readRows(platform, storageId, '2025-04-01')).size).toBe(0)
  await recoverLeftovers(platform)
  const running = startImports(platform, 50)
  await expect
    .poll(
      async () =>
        (await ask('GET', `/api/v1/imports?storageId=${storageId}`)).body.map(({ state }: { state: string }) => state),
      { timeout: 20_000 },
    )
    .toEqual(['COMMITTED', 'FAILED'])
  await running.stop()
  expect((await readRows(platform, storageId, '2025-04-01')).size).toBe(tree.size)
  expect([await tablesOfImports(reading.id), await tablesOfImports(committing.id)]).toEqual([[], []])
})

test('the difference from the newest scan is explained to the byte', async () => {
  const volumeId = await newVolume(platform, 'Explained')
  const file = (path: string, size: number, more = {}) => ({
    path,
    size,
    inode: size,
    allocatedSize: size + 1,
    ...more,
  })
  await scanFolders(platform, { volumeId, indexingDate: '2025-06-01' }, [
    {
      path: '',
      entries: [
        file('/same', 10),
        file('/linked', 20, { inode: 1, linkCount: 2 }),
        file('/again', 20, { inode: 1, linkCount: 2 }),
        file('/blocks', 999),
        file('/changed', 5_000_000),
        file('/there', 70),
      ],
    },
  ])
  const lines = [
    ['same', 10],
    ['linked', 20],
    ['again', 20],
    ['blocks', 1000],
    ['changed', 9_000_000],
    ['here', 7],
  ] as const
  const found = await upload(
    ask,
    { storageId: volumeId, date: '2025-05-01', format: 'find', printf: '%s %y %P\\n' },
    lines.map(([name, size]) => `${size} f ${name}\n`).join(''),
  )
  expect(found.comparison).toMatchObject({ scannedOn: '2025-06-01', total: 20 + 1 + 4_000_000 + 7 - 70 })
  expect(new Map(found.comparison?.differences.map(({ reason, bytes }) => [reason, bytes]))).toEqual(
    new Map(Object.entries({ changed: 4_000_000, onlyThere: -70, hardLinks: 20, onlyHere: 7, apparentSize: 1 })),
  )
})
