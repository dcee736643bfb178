import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { browseRoutes } from './index.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, browseRoutes(platform)), await testSession(platform.db, []))

test('wrong fields are named', async () => {
  const wrong: [string, string][] = [
    ['/files/directory?directoryPath=films', 'directoryPath'],
    ['/files/directory?directoryPath=/a&directoryPath=/b', 'directoryPath'],
    ['/directories?storageId=1;DROP', 'storageId'],
    ['/directories?storageIds=1,x', 'storageIds'],
    ['/directories?volumeId=-1', 'volumeId'],
    ['/directories?showHiddenDirectories=perhaps', 'showHiddenDirectories'],
    ['/directories?sort=name;--', 'sort'],
    ['/directories?sort=delta', 'sort'],
    ['/directories?page=21', 'page'],
    ['/directories?cursor=x', 'cursor'],
    ['/directories?size=1001', 'size'],
    ['/v1/directories/contents?path=films', 'path'],
    ['/v1/directories/contents?storageId=x', 'storageId'],
    ['/v1/directories/contents?sort=delta', 'sort'],
    ['/v1/directories/contents?size=0', 'size'],
    ['/v1/directories/contents/links?path=/', 'part'],
    ['/v1/directories/contents/files?sort=delta', 'sort'],
    ['/v1/directories/paths?path=a&path=b', 'path'],
    ['/v1/files/snapshots/2026-02-30', 'previousDate'],
    ['/v1/files/snapshots/2026-02-28?indexingDate=2026-02-27', 'previousDate'],
    ["/v1/directories/snapshots/2026-01-01'", 'previousDate'],
    ['/v1/directories/snapshots/2026-01-01?sort=constructor', 'sort'],
  ]
  for (const [address, field] of wrong) {
    const { status, body } = await ask('GET', `/api${address}`)
    expect([address, status, body.subErrors?.map((error: { field: string }) => error.field.split('.')[0])]).toEqual([
      address,
      400,
      [field],
    ])
  }
})

test('text that looks like a command finds nothing, and what is there stays', async () => {
  const volumeId = await newVolume(platform, 'Films')
  const entries = ['/a%b', '/ab', '/a_', "/it's"].map((path) => ({ path, isDirectory: true }))
  const inner = entries.map(({ path }) => ({ path, entries: [{ path: `${path}/x` }] }))
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [{ path: '', entries }, ...inner])
  const total = async (address: string, text: string) =>
    (await ask('GET', `/api/${address}=${encodeURIComponent(text)}`).expect(200)).body.total
  const calls = ['files/directory?directoryPath', 'directories?path', 'v1/files/snapshots/2026-01-01?path']
  const odd = [
    "/'; DROP TABLE entries --",
    '/{p0:String}',
    '/\0',
    '/\\',
    '//',
    `/${'x'.repeat(9_000)}`,
    '/\u{1f600}',
    '/%',
    '/a*',
  ]
  for (const text of odd)
    for (const call of [...calls, 'v1/directories/paths?path'])
      expect([call, text, await total(call, text)]).toEqual([
        call,
        text,
        text === '/%' && call.includes('paths') ? 1 : 0,
      ])
  for (const { path } of entries) expect(await total('files/directory?directoryPath', path)).toBe(1)
  for (const text of [...odd, '/a%b']) {
    const { body } = await ask('GET', `/api/v1/directories/contents?path=${encodeURIComponent(text)}`).expect(200)
    expect([text, body.folders.total, body.files.total]).toEqual([text, 0, text === '/a%b' ? 1 : 0])
  }
  expect(await total('v1/directories/paths?path', 'A_')).toBe(1)
  expect(await total('v1/directories/paths?path', "t's")).toBe(1)
  expect(await total('directories?path', '')).toBe(4)
  expect(await total('directories?storageIds', `999,${volumeId}`)).toBe(4)
  expect(await total('directories?storageId', '999')).toBe(0)
})

test('a short page of an older date knows how long its list is, also by the name of the storage', async () => {
  const old = '2026-02-01'
  const children = (names: string[]) => names.map((name) => ({ path: `/${name}` }))
  for (const name of ['Kept', 'Changed']) {
    const volumeId = await newVolume(platform, name)
    await scanFolders(platform, { volumeId, indexingDate: old }, [{ path: '', entries: children(['a', 'b', 'c']) }])
    if (name === 'Kept') continue
    await scanFolders(platform, { volumeId, indexingDate: '2026-02-02' }, [{ path: '', entries: children(['c', 'd']) }])
  }
  for (const parameters of ['size=1', 'size=2&page=2', 'size=500'].flatMap((page) => [
    page,
    `${page}&direction=desc`,
  ])) {
    const { body } = await ask('GET', `/api/files/directory?indexingDate=${old}&sort=volumeName&${parameters}`).expect(
      200,
    )
    expect([parameters, body.total]).toEqual([parameters, 6])
  }
})

test('pages of a comparison have no end', async () => {
  const parameters = 'path=/ab&page=9007199254740991&size=1000'
  const { body } = await ask('GET', `/api/v1/files/snapshots/2026-01-01?${parameters}`).expect(200)
  expect([body.elements, body.total]).toEqual([[], 1])
})
