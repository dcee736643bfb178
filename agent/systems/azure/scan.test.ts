import { AccountSASPermissions } from '@azure/storage-blob'
import { expect, test } from 'vitest'
import { pathOf } from '../../testing/decodeRows.ts'
import { madeUpObjects } from '../../testing/madeUpStore.ts'
import { filesIn, forever, keysOf, rowsOf } from '../testing.ts'
import { containerNames } from './index.ts'
import { account, contentOf, failure, md5Of, openContainer, startAzurite, stringOf } from './testing.ts'

const azurite = await startAzurite()
const { connectionString } = azurite

/** Names that Azure takes: no control characters, and none that an address cannot carry. */
const names = madeUpObjects(300)
  .map(({ key }) => key)
  .filter((key) => /^[^\p{Cc}\\]+$/u.test(key) && !/(^|\/)\.{1,2}(\/|$)/.test(key) && !/^\/|\/\/|\/$/.test(key))
const blobs = names.map((name, i) => ({ name, size: (i * 31) % 400 }))
const began = Math.floor(Date.now() / 1_000)
const media = await azurite.fill('media', blobs)

test('a scan of a container finds all blobs, with any names', async () => {
  const system = openContainer({ connectionString })
  const found = filesIn(await rowsOf(system))
  const facts = found.map((row) => [pathOf(row), row.size, row.etag, row.storage_class])
  const expected = blobs.map((blob) => [`/${blob.name}`, `${blob.size}`, md5Of(contentOf(blob)), 'Hot'])
  const inOrder = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
  expect(inOrder(facts)).toEqual(inOrder(expected))
  expect(found.every(({ modified, created }) => Number(modified) >= began && Number(created) >= began)).toBe(true)
  expect(found.every(({ owner, accessed }) => owner === '' && accessed === '0')).toBe(true)
  expect(system.requests()).toBe(1)
})

test('a container is listed page by page, alone or cut at its folders, and each blob is returned once', async () => {
  const alone = openContainer({ connectionString, blobs: 25 })
  expect((await keysOf(alone, 0)).sort()).toEqual([...names].sort())
  expect(alone.requests()).toBe(Math.ceil(names.length / 25))
  expect((await keysOf(openContainer({ connectionString, blobs: 25 }))).sort()).toEqual([...names].sort())
})

test('a paused listing continues from the part that was kept', async () => {
  const first = await openContainer({ connectionString, blobs: 120 }).page('', { idle: 0, signal: forever })
  const kept = [...first.entries].map(({ parentPath, name }) => `${parentPath}${name}`.slice(1))
  expect(kept).toHaveLength(120)
  const parts = [...first.rest]
  const later = openContainer({ connectionString, blobs: 120 })
  while (parts.length > 0) {
    const page = await later.page(parts.pop() as string, { idle: 0, signal: forever })
    kept.push(...[...page.entries].map(({ parentPath, name }) => `${parentPath}${name}`.slice(1)))
    parts.push(...page.rest)
  }
  expect(kept.sort()).toEqual([...names].sort())
})

test('a scan of a prefix lists that alone', async () => {
  const below = names.filter((name) => name.startsWith('level0_1/'))
  expect(below.length).toBeGreaterThan(10)
  const system = openContainer({ connectionString, prefix: 'level0_1/' })
  expect((await keysOf(system)).sort()).toEqual(below.sort())
  expect(system.requests()).toBe(1)
})

test('a level of many folders is listed flat: few requests take many small folders', async () => {
  const wide = Array.from({ length: 80 }, (_, i) => ({ name: `folder ${i}/file`, size: i }))
  await azurite.fill('wide', wide)
  const system = openContainer({ connectionString, container: 'wide', blobs: 70 })
  expect(await keysOf(system)).toHaveLength(80)
  expect(system.requests()).toBe(4)
})

test('marks of folders are not files; a blob without a hash has none', async () => {
  const container = await azurite.fill('marks', [{ name: 'kept/file', size: 3 }])
  const mark = container.getBlockBlobClient('kept')
  await mark.upload('', 0, { metadata: { hdi_isfolder: 'true' } })
  const parts = container.getBlockBlobClient('parts')
  await parts.stageBlock('AAAA', 'abc', 3)
  await parts.commitBlockList(['AAAA'])
  await parts.setAccessTier('Cool')
  const found = filesIn(await rowsOf(openContainer({ connectionString, container: 'marks' })))
  expect(found.map((row) => [pathOf(row), row.etag, row.storage_class]).sort()).toEqual([
    ['/kept/file', md5Of(contentOf({ name: 'kept/file', size: 3 })), 'Hot'],
    ['/parts', '', 'Cool'],
  ])
})

test('names of containers are sorted; a container is checked by one blob', async () => {
  expect(await containerNames(connectionString, forever)).toEqual(['marks', 'media', 'wide'])
  const system = openContainer({ connectionString })
  await system.check(forever)
  expect(system.requests()).toBe(1)
  expect(media.containerName).toBe('media')
})

test('a wrong key, a missing container and a signature without the right are reported as such', async () => {
  const wrong = Buffer.from('another key').toString('base64')
  expect(await failure({ connectionString: stringOf(azurite.url, wrong) })).toBe(
    `Azure does not accept the account key of the account ${account}`,
  )
  await expect(containerNames(stringOf(azurite.url, wrong), forever)).rejects.toThrow(
    `Azure does not accept the account key of the account ${account}`,
  )
  expect(await failure({ connectionString, container: 'gone' })).toBe(`The account ${account} has no container gone`)
  const bySignature = (permissions: string, hours: number) => {
    const ends = new Date(Date.now() + hours * 3_600_000)
    const options = { resourceTypes: 'sco', permissions: AccountSASPermissions.parse(permissions) }
    const signature = azurite.service
      .generateAccountSasUrl(ends, options.permissions, options.resourceTypes)
      .split('?')[1]
    return `BlobEndpoint=${azurite.url};SharedAccessSignature=${signature}`
  }
  expect((await keysOf(openContainer({ connectionString: bySignature('l', 1) }))).sort()).toEqual([...names].sort())
  expect(await containerNames(bySignature('l', 1), forever)).toContain('media')
  expect(await failure({ connectionString: bySignature('r', 1) })).toBe(
    'This connection string has no right to list the container media',
  )
  expect(await failure({ connectionString: bySignature('l', -1) })).toMatch(
    `shared access signature (SAS) of the account ${account}`,
  )
})
