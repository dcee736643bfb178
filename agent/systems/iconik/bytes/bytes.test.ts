import { expect, test } from 'vitest'
import {
  expectedFrom,
  expectOnce,
  partBytes,
  run,
  sizes,
  statesOf,
  storedIn,
  threeFiles,
  withFiles,
} from '../testing.ts'
import { detailOf } from './uploadHost.ts'

const oneFile = [{ name: 'a.mov', size: 6 * partBytes + 5 }]

type Prepare = (iconik: Awaited<ReturnType<typeof withFiles>>['iconik']) => void

/** Uploads one file while there is some trouble. Returns its state, stored bytes and number of uploads, and what was left behind. */
async function uploaded(storage: string, prepare: Prepare) {
  const { iconik, folder, list } = await withFiles(oneFile)
  prepare(iconik)
  await run(iconik, list, { storage })
  const isSame = JSON.stringify(storedIn(iconik)) === JSON.stringify(expectedFrom(folder, oneFile))
  const uploads = iconik.files().map(({ uploadCount }) => uploadCount)
  const left = [iconik.openUploads(), iconik.leaks(), iconik.duplicates()]
  return { states: statesOf(list), isSame, uploads, left }
}
const complete = { states: ['done'], isSame: true, uploads: [1], left: [0, [], []] }

test.for([
  ['S3 1', 's3.putPart'],
  ['GCS 1', 'gcs.putChunk'],
  ['B2 1', 'b2.putPart'],
  ['AZURE 1', 'azure.putBlock'],
])('%s: a connection is cut in the middle of %s', async ([storage = '', call = '']) => {
  expect(await uploaded(storage, (iconik) => iconik.cutUpload(call, 1_500))).toEqual(complete)
  expect(await uploaded(storage, ({ faults }) => faults.failNext(call, 503, 'busy', { skip: 2, times: 3 }))).toEqual(
    complete,
  )
})

test('S3: addresses that expired are requested again, a page at a time', async () => {
  const { iconik, folder, list } = await withFiles(oneFile, { readings: { uploadUrlMs: 60_000 } })
  let hasExpired = false
  const onProgress = () => {
    if (!hasExpired) iconik.clock.advance(61_000)
    hasExpired = true
  }
  await run(iconik, list, { onProgress })
  expect(storedIn(iconik)).toEqual(expectedFrom(folder, oneFile))
  expect(iconik.requests.some(({ call, status }) => call === 's3.putPart' && status === 403)).toBe(true)
  expect(iconik.requestsOf('parts.list').length).toBeGreaterThan(1)
})

test('GCS and Azure: the same for an address of a file', async () => {
  expect(await uploaded('AZURE 1', ({ faults }) => faults.failNext('azure.putBlock', 403, 'expired'))).toEqual(complete)
  expect(await uploaded('GCS 1', ({ faults }) => faults.failNext('gcs.start', 403, 'expired'))).toEqual(complete)
  expect(await uploaded('S3 1', ({ faults }) => faults.failNext('s3.start', 403, 'expired'))).toEqual(complete)
  expect(await uploaded('S3 1', ({ faults }) => faults.failNext('s3.complete', 403, 'expired'))).toEqual(complete)
})

/* S3 sends status 200 before it knows the result of a completion, as reports about many clients show. */
test('S3: an error in an answer with status 200 is not a success', async () => {
  const internal = '<Error><Code>InternalError</Code><Message>Try again</Message></Error>'
  expect(await uploaded('S3 1', ({ faults }) => faults.failNext('s3.complete', 200, internal))).toEqual(complete)
  expect(await uploaded('S3 1', ({ faults }) => faults.failNext('s3.complete', 200, '   '))).toEqual(complete)
})

test('S3: a part that the storage does not have is not completed: the file starts from scratch', async () => {
  const { iconik, folder, list } = await withFiles(oneFile)
  iconik.faults.failNext('s3.complete', 400, '<Error><Code>InvalidPart</Code><Message>No such part</Message></Error>')
  await run(iconik, list)
  expect(storedIn(iconik)).toEqual(expectedFrom(folder, oneFile))
  expect([statesOf(list), iconik.openUploads(), iconik.files().length]).toEqual([['done'], 0, 1])
})

test('S3: an upload that is gone starts from scratch, three times at most', async () => {
  const gone = '<Error><Code>NoSuchUpload</Code><Message>Gone</Message></Error>'
  const { iconik, list } = await withFiles(oneFile)
  iconik.faults.failNext('s3.putPart', 404, gone, { times: Infinity })
  await run(iconik, list)
  expect(statesOf(list)).toEqual(['failed The system did not take it, 3 times'])
  expect([iconik.files(), iconik.openUploads()]).toEqual([[], 0])
})

/* A 308 without a range says that nothing was kept, as bug reports about several clients of Google show. */
test('GCS: bytes that the storage did not keep are sent again', async () => {
  expect(await uploaded('GCS 1', (iconik) => iconik.shortenChunk(1_024))).toEqual(complete)
  expect(await uploaded('GCS 1', (iconik) => iconik.shortenChunk(0))).toEqual(complete)
})

test('GCS: a session that expired starts again', async () => {
  const { iconik, folder, list } = await withFiles(oneFile)
  iconik.faults.failNext('gcs.putChunk', 410, 'Gone', { skip: 1 })
  await run(iconik, list, { storage: 'GCS 1' })
  expect(storedIn(iconik)).toEqual(expectedFrom(folder, oneFile))
  expect(statesOf(list)).toEqual(['done'])
})

test('B2: an address that failed or expired is replaced, for parts and whole files', async () => {
  for (const status of [401, 503]) {
    const { iconik, folder, list } = await withFiles()
    const body = { status, code: 'expired_auth_token', message: 'Expired' }
    iconik.faults.failNext('b2.putPart', status, body)
    iconik.faults.failNext('b2.putFile', status, body)
    await run(iconik, list, { storage: 'B2 1' })
    expect(storedIn(iconik)).toEqual(expectedFrom(folder, threeFiles))
    expect(iconik.requestsOf('large.start').length).toBe(3)
  }
})

test('B2: Iconik can not start a large file', async () => {
  const { iconik, list } = await withFiles(oneFile)
  iconik.faults.failNext('large.start', 200, { error: 'The key has no access', error_code: 'unauthorized' })
  await run(iconik, list, { storage: 'B2 1' })
  expect(statesOf(list)).toEqual(["failed Iconik can't start the upload to B2: The key has no access"])
  expect([...iconik.assets.values()].map(({ status }) => status)).toEqual(['DELETED'])
})

test('Azure: files and blocks above the limit of the service are sent in smaller blocks', async () => {
  const MiB = 1_024 * 1_024
  const files = [{ name: 'a.mov', size: 3 * MiB + 9 }]
  const { iconik, folder, list } = await withFiles(files, { behavior: { azureMaxBytes: MiB } })
  await run(iconik, list, { storage: 'AZURE 1', sizes: { ...sizes, azureSmall: 4 * MiB, azureBlock: 3 * MiB } })
  expect(storedIn(iconik)).toEqual(expectedFrom(folder, files))
  expect(iconik.requests.filter(({ status }) => status === 413).length).toBeGreaterThan(1)
  iconik.behavior.azureMaxBytes = 1_000
  const again = await withFiles(files, { behavior: { azureMaxBytes: 1_000 } })
  await run(again.iconik, again.list, { storage: 'AZURE 1', sizes: { ...sizes, azureBlock: MiB } })
  expect(statesOf(again.list)).toEqual(['failed The storage refuses parts of 1 MiB as too large'])
})

test('a refusal of the storage is shown, and the file fails alone', async () => {
  const { iconik, list } = await withFiles()
  iconik.faults.failNext('s3.putPart', 400, '<Error><Code>EntityTooLarge</Code><Message>Too large</Message></Error>')
  await run(iconik, list)
  expect(list.places('done')).toHaveLength(2)
  const [failed] = list.listed.filter(({ state }) => state === 'failed')
  expect(failed?.reason).toBe('The storage refused the upload: status 400, EntityTooLarge: Too large')
  expect([iconik.files().length, iconik.openUploads()]).toEqual([2, 0])
})

test('slow and silent storages are waited for', async () => {
  const prepared = await withFiles()
  const { iconik, list, collection } = prepared
  iconik.faults.latencyMs = 5
  iconik.faults.delayNext('s3.putPart', 200)
  await run(iconik, list, { collectionId: collection.id })
  expectOnce(prepared)
  expect(iconik.requestsOf('s3.putPart').length).toBeGreaterThan(0)
})

test.each<[string, string]>([
  [
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>SlowDown</Code><Message>Later</Message></Error>',
    'SlowDown: Later',
  ],
  ['<Error><Code>AccessDenied</Code></Error>', 'AccessDenied'],
  ['{"status": 400, "code": "bad_request", "message": "No"}', 'bad_request: No'],
  ['{"error": {"code": 403, "message": "Forbidden"}}', '403: Forbidden'],
  ['', 'an empty answer'],
])('of %j the code and message are shown', (body, shown) =>
  expect(detailOf({ statusCode: 400, headers: {}, body: Buffer.from(body) })).toBe(`status 400, ${shown}`),
)

test.each([
  'password=planted',
  '<html><body><code>planted</code><message>planted</message></body></html>',
  '<config><Code>x</Code><Message>planted</Message></config>',
  '<Error><Code>two words planted</Code><Message>planted</Message></Error>',
  '{"message": "planted"}',
  '{"users": [{"code": "x", "message": "planted"}]}',
  '{"code": {"planted": 1}, "message": "planted"}',
  '["code", "planted"]',
  '{"code": "x", "message": "planted"',
  '<Code>planted',
])('the text %j is in an unknown format, and not shown', (body) =>
  expect(detailOf({ statusCode: 400, headers: {}, body: Buffer.from(body) })).toBe(
    'status 400, an answer in an unknown format',
  ),
)

test('a long refusal without an end of its code is read at once', () => {
  const started = performance.now()
  const body = Buffer.from(`<Error>${'<Code>'.repeat(1_000_000)}`)
  expect(detailOf({ statusCode: 400, headers: {}, body })).toBe('status 400, an answer in an unknown format')
  expect(performance.now() - started).toBeLessThan(2_000)
})
