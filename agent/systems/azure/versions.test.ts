import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ScanFailed } from '../system.ts'
import { filesIn, forever, rowsOf } from '../testing.ts'
import { account, openContainer, startAzurite, stringOf } from './testing.ts'

const { fill, connectionString: azurite } = await startAzurite()

const running = { run: <T>(ask: () => Promise<T>): Promise<T> => ask(), signal: forever }
const countIn = (container: ReturnType<typeof openContainer>) => container.versions!(running)
const old = (count: number, bytes: number) => ({
  versions: { noncurrent: { count, bytes }, deleteMarkers: 0, incomplete: { count: 0, bytes: 0 } },
})

test('snapshots of blobs are counted, and listed as no files', async () => {
  const container = await fill('snapshots', [
    { name: 'films/a', size: 10 },
    { name: 'b', size: 20 },
  ])
  await container.getBlobClient('films/a').createSnapshot()
  await container.getBlobClient('films/a').createSnapshot()
  await container.getBlobClient('b').createSnapshot()
  const opened = openContainer({ connectionString: azurite, container: 'snapshots' })
  expect(filesIn(await rowsOf(opened))).toHaveLength(2)
  expect(await countIn(opened)).toEqual(old(3, 40))
  expect(
    await countIn(openContainer({ connectionString: azurite, container: 'snapshots', counted: 'films/' })),
  ).toEqual(old(2, 20))
})

const blob = (name: string, size: number | '', facts = '') =>
  `<Blob><Name>${name}</Name>${facts}<Properties><Last-Modified>Fri, 27 Nov 2026 10:00:00 GMT</Last-Modified><Etag>0x1</Etag>
    <Content-Length>${size}</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>`
const versionOf = (name: string, size: number, n: number, isCurrent = '') =>
  blob(name, size, `<VersionId>2026-11-${n}T00:00:00.0000000Z</VersionId>${isCurrent}`)

type ListRequest = { include: string; marker: string; prefix: string }

/** A container that lists what is requested; `pages` are blobs by the requested marker, and the next one. Azurite has no versions and no soft deletion. */
async function listing(answer: (request: ListRequest) => { blobs: string[]; next?: string } | { refusal: string }) {
  const includes: string[] = []
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const [include = '', marker = '', prefix = ''] = ['include', 'marker', 'prefix'].map(
      (name) => searchParams.get(name) ?? '',
    )
    includes.push(include)
    const answered = answer({ include, marker, prefix })
    if ('refusal' in answered) {
      response.writeHead(400, { 'x-ms-error-code': answered.refusal, 'x-ms-request-id': '1' })
      return response.end(`<?xml version="1.0"?><Error><Code>${answered.refusal}</Code></Error>`)
    }
    response.writeHead(200, { 'x-ms-request-id': '1' })
    return response.end(`<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="media"><Blobs>${answered.blobs.join('')}</Blobs>
      <NextMarker>${answered.next ?? ''}</NextMarker></EnumerationResults>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { connectionString: stringOf(`http://127.0.0.1:${port}/${account}`), includes }
}

test('versions, snapshots and soft-deleted blobs are counted page by page, and the current version is not', async () => {
  const versions = Array.from({ length: 997 }, (_, n) => versionOf('a', 1_000, n + 1))
  const rest = [
    versionOf('a', 10, 999, '<IsCurrentVersion>true</IsCurrentVersion>'),
    blob('b', 500, '<Snapshot>2026-11-27T00:00:00.0000000Z</Snapshot>'),
    blob('gone', 200, '<Deleted>true</Deleted>'),
    blob('gone', 100, '<Snapshot>2026-11-27T00:00:00.0000000Z</Snapshot><Deleted>true</Deleted>'),
    blob('b', 7, '<Deleted>false</Deleted>'),
  ]
  const { connectionString, includes } = await listing(({ include, marker }) => {
    if (!include.includes('versions')) return { blobs: [blob('a', 10), blob('b', 7)] }
    return marker === '' ? { blobs: versions, next: 'more' } : { blobs: rest }
  })
  const opened = openContainer({ connectionString })
  expect(filesIn(await rowsOf(opened))).toHaveLength(2)
  expect(await countIn(opened)).toEqual(old(1_000, 997_800))
  expect(new Set(includes[1]?.split(','))).toEqual(new Set(['metadata', 'deleted', 'snapshots', 'versions']))
})

test('an account without versions, such as one with a hierarchical namespace, has its other old blobs counted', async () => {
  const { connectionString, includes } = await listing(({ include }) =>
    include.includes('versions')
      ? { refusal: 'InvalidQueryParameterValue' }
      : { blobs: [blob('a', 10), blob('gone', 200, '<Deleted>true</Deleted>')] },
  )
  expect(await countIn(openContainer({ connectionString }))).toEqual(old(1, 200))
  expect(includes).toHaveLength(2)
})

test('a refusal is the reason why nothing was counted, and a list that never ends is one', async () => {
  const { connectionString } = await listing(() => ({ refusal: 'AuthorizationPermissionMismatch' }))
  expect(await countIn(openContainer({ connectionString }))).toEqual({
    versionsFailure: 'This connection string has no right to list the container media',
  })
  const endless = await listing(() => ({ blobs: [blob('a', 10)], next: 'again' }))
  expect(await countIn(openContainer(endless))).toEqual({
    versionsFailure: 'Azure does not list old blobs: the list continues at the same place again',
  })
})

test('a count that is aborted throws its reason', async () => {
  const { connectionString } = await listing(() => ({ blobs: [] }))
  const signal = AbortSignal.abort(new ScanFailed('cancelled'))
  await expect(openContainer({ connectionString }).versions!({ ...running, signal })).rejects.toThrow('cancelled')
})
