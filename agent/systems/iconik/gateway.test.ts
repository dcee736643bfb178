import { renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { product } from '../../actions/testing/attempts.ts'
import { listOf, run, runWithCrash, statesOf, threeFiles, withFiles } from './testing.ts'

const storage = 'FILE 1'
const names = threeFiles.map(({ name }) => name)
const pathsIn = ({ iconik }: Awaited<ReturnType<typeof withFiles>>) => iconik.files().map(({ path }) => path)

test('files below the mount point are registered without a byte', async () => {
  const prepared = await withFiles()
  const { iconik, list, collection } = prepared
  await run(iconik, list, { storage, collectionId: collection.id })
  expect(statesOf(list)).toEqual(names.map(() => 'done'))
  expect(pathsIn(prepared).sort()).toEqual([...names].sort())
  expect(iconik.requests.filter(({ host }) => host === 'upload')).toEqual([])
  expect(iconik.files().map(({ status, size }) => [status, size])).toEqual(
    iconik.files().map(({ path }) => ['CLOSED', threeFiles.find(({ name }) => name === path)!.size]),
  )
  iconik.clock.advance(10_000)
  expect([...iconik.jobs.values()].map(({ status }) => status)).toEqual(names.map(() => 'FINISHED'))
  iconik.scan(iconik.storageNamed(storage))
  expect([pathsIn(prepared).length, collection.contents.length]).toEqual([3, 3])
})

test('a mount point may end with a slash, or be the root', async () => {
  for (const suffix of ['/', '///']) {
    const prepared = await withFiles()
    const { settings } = prepared.iconik.storageNamed(storage)
    settings.mount_point += suffix
    await run(prepared.iconik, prepared.list, { storage })
    expect(pathsIn(prepared).sort()).toEqual([...names].sort())
  }
  const { iconik, list, folder } = await withFiles([{ name: 'a', size: 1 }])
  iconik.storageNamed(storage).settings.mount_point = '/'
  await run(iconik, list, { storage })
  expect(iconik.files()).toMatchObject([{ path: join(folder, 'a').slice(1), status: 'CLOSED' }])
})

test('files elsewhere are refused, and a name that only begins like the mount point is elsewhere', async () => {
  const { iconik, folder, list } = await withFiles([
    { name: 'media/a', size: 1 },
    { name: 'media2/b', size: 1 },
  ])
  const gateway = iconik.storageNamed(storage)
  Object.assign(gateway, { folder: join(folder, 'media') })
  gateway.settings.mount_point = join(folder, 'media')
  await run(iconik, list, { storage })
  const reason = `failed The file is not below ${folder}/media, the mount point of the storage FILE 1. Its gateway can't see the file`
  expect(statesOf(list)).toEqual(['done', reason])
  gateway.settings.mount_point = ''
  const again = listOf(folder, [{ name: 'media/a' }])
  await run(iconik, again, { storage })
  expect(statesOf(again)).toEqual([expect.stringContaining('The file is not below the mount point')])
})

test.for(['all', 'by setting', 'none'] as const)(
  'files that the gateway found are not created again, which recognizes: %s',
  async (recognizes) => {
    for (const pathFilter of ['whole', 'prefix'] as const) {
      const prepared = await withFiles(threeFiles, { readings: { gatewayRecognizes: recognizes, pathFilter } })
      const { iconik, list, collection } = prepared
      iconik.scan(iconik.storageNamed(storage), ['proj'])
      await run(iconik, list, { storage, collectionId: collection.id })
      expect(statesOf(list)).toEqual(names.map(() => 'done'))
      expect(pathsIn(prepared).sort()).toEqual([...names].sort())
      expect([collection.contents.length, new Set(collection.contents).size]).toEqual([3, 3])
      expect(iconik.requestsOf('assets.create')).toHaveLength(1)
      // Another job finds all of them.
      const again = listOf(prepared.folder, threeFiles)
      await run(iconik, again, { storage, collectionId: collection.id })
      expect([pathsIn(prepared).length, collection.contents.length, statesOf(again)]).toEqual([
        3,
        3,
        names.map(() => 'done'),
      ])
    }
  },
)

test('a folder may be registered with a slash at its end', async () => {
  const prepared = await withFiles()
  const { iconik, list } = prepared
  iconik.scan(iconik.storageNamed(storage))
  for (const { files } of iconik.assets.values())
    for (const file of files) file.directory_path += file.directory_path ? '/' : ''
  await run(iconik, list, { storage })
  expect(iconik.requestsOf('assets.create')).toEqual([])
})

test('an asset that a crash left without a file is removed once the gateway has the file', async () => {
  const prepared = await withFiles([{ name: 'a.mov', size: 9 }])
  const { iconik, list, collection } = prepared
  const attempt = new AbortController()
  iconik.faults.failNext('formats.create', 503, '', { times: Infinity })
  const notes = { push: (note: string) => note && attempt.abort() } as unknown as string[]
  const options = { storage, collectionId: collection.id }
  await run(iconik, list, { ...options, signal: attempt.signal, notes }).catch(() => {})
  iconik.faults.clear()
  iconik.clock.advance(60_000)
  iconik.scan(iconik.storageNamed(storage))
  await run(iconik, list, { ...options, attempt: 2 })
  expect(statesOf(list)).toEqual(['done'])
  expect(iconik.files()).toMatchObject([{ path: 'a.mov', externalId: undefined, collections: [collection.id] }])
  const own = [...iconik.assets.values()].filter(({ externalId }) => externalId === `dataintell-${product}-4711-1`)
  expect(own.map(({ status }) => status)).toEqual(['DELETED'])
})

test('the gateway registers files while they are registered, and nothing is lost', async () => {
  const prepared = await withFiles(threeFiles, { readings: { gatewayRecognizes: 'none' } })
  const { iconik, list } = prepared
  await runWithCrash(iconik, list, { storage, crash: { at: 4, when: 'before' } })
  iconik.scan(iconik.storageNamed(storage))
  expect(statesOf(list)).toEqual(names.map(() => 'done'))
  expect(iconik.duplicates()).toEqual([])
})

test('a changed or missing file is not registered', async () => {
  const { iconik, folder, list } = await withFiles()
  writeFileSync(join(folder, names[0]!), 'other')
  utimesSync(join(folder, names[1]!), 1, 1)
  renameSync(join(folder, names[2]!), join(testFolder('elsewhere'), 'c'))
  await run(iconik, list, { storage })
  expect(statesOf(list)).toEqual([
    `failed The file has 5 bytes instead of ${threeFiles[0]!.size}: it has changed since the scan. Scan it again`,
    'failed The file was modified since the scan. Scan it again',
    'failed The file no longer exists',
  ])
  expect(iconik.assets.size).toBe(0)
})
