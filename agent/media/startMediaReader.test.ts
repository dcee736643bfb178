import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { MediaOrder } from '#events/actions/orders.ts'
import { forTest } from '#agent/simulator/testing.ts'
import { objectsOf, startSimulator } from '#agent/systems/s3/simulator/index.ts'
import { account } from '#agent/systems/s3/testing.ts'
import { startAzurite } from '#agent/systems/azure/testing.ts'
import { forever } from '#agent/systems/testing.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { readMediaFiles } from './readMediaFiles.ts'
import { startMediaReader } from './startMediaReader.ts'
import { readPath, samples, testReader } from './testing.ts'

const folder = testFolder('media')
const { service, connectionString } = await startAzurite()
const write = (name: string, content: Uint8Array | string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const sample = (name: string) => readFileSync(join(samples, name))
/** Readers that tests share, since each is a process. */
const readers = Array.from({ length: 4 }, () => startMediaReader())
atEndOfFile(() => readers.forEach(({ stop }) => stop()))
const valuesOf = async (path: string, reader = readers[0] as (typeof readers)[number]) => {
  const { facts, failure } = await readPath(reader, path)
  return facts ? { ...facts.texts, ...facts.numbers } : failure
}
const noMedia = 'This is not a media file, or it is damaged'

test('reads container, codecs, resolution, rates, duration and timecode of a video', async () => {
  expect(await valuesOf(join(samples, 'clip.mov'))).toEqual({
    'media.container': 'mov',
    'media.duration': 1.001,
    'media.timecode': '01:00:00:00',
    'video.codec': 'h264',
    'video.profile': 'High',
    'video.width': 128,
    'video.height': 72,
    'video.frameRate': 24_000 / 1_001,
    'video.bitDepth': 8,
    'video.bitRate': 17_934,
    'video.chroma': '4:2:0',
    'audio.codec': 'aac',
    'audio.channels': 1,
    'audio.sampleRate': 48_000,
  })
  expect(await valuesOf(join(samples, 'master.mov'))).toMatchObject({
    'video.codec': 'prores',
    'video.profile': '422 HQ',
    'video.bitDepth': 10,
    'video.chroma': '4:2:2',
  })
})

test('reads sound and the camera of a photo', async () => {
  expect(await valuesOf(join(samples, 'sound.wav'))).toEqual({
    'media.container': 'wav',
    'media.duration': 0.1,
    'audio.codec': 'pcm_s24le',
    'audio.channels': 1,
    'audio.sampleRate': 48_000,
  })
  expect(await valuesOf(join(samples, 'photo.jpg'))).toEqual({
    'media.container': 'jpeg',
    'image.width': 96,
    'image.height': 64,
    'image.camera': 'Canon EOS R5',
    'image.lens': 'RF24-70mm F2.8 L IS USM',
    'image.takenOn': '2023-05-06T07:08:09',
    'image.orientation': 6,
    'image.colorSpace': 'sRGB',
    'image.bitDepth': 8,
  })
})

test('an empty file, a text with a name of a video and a file without its index have no facts', async () => {
  const clip = sample('clip.mov')
  const files = { 'empty.mp4': '', 'text.mp4': 'Notes of the shoot', 'cut.mov': clip.subarray(0, 40) }
  for (const [name, content] of Object.entries(files)) expect(await valuesOf(write(name, content))).toBe(noMedia)
})

test('a file with the extension of another format has the facts of its content', async () => {
  const asVideo = await valuesOf(write('photo.mp4', sample('photo.jpg')))
  expect(asVideo).toMatchObject({ 'media.container': 'jpeg', 'image.width': 96 })
  expect(await valuesOf(write('clip.jpg', sample('clip.mov')))).toMatchObject({ 'video.codec': 'h264' })
})

/** A program that reads files as the real one, except that files of one byte are a trap. */
const trap = (action: string) =>
  pathToFileURL(
    write(
      `${action.length}.mjs`,
      `process.on('disconnect', () => process.exit(0))
      process.on('message', ({ size }) => { if (size === 1) { ${action} } else process.send({ type: 'facts', facts: { texts: {}, numbers: {}, details: { tracks: [], chapters: [] } } }) })`,
    ),
  )

test.each([
  ['hangs', 'for (;;);', 'reading it took longer than 1 s'],
  ['crashes', 'process.kill(process.pid, "SIGSEGV")', 'the process that reads it ended (SIGSEGV)'],
  ['takes too much memory', 'globalThis.held = Buffer.alloc(2 ** 29, 1)', 'it takes too much memory'],
])('a file that %s is named, and the next one is read', async (_, action, reason) => {
  const reader = testReader({ timeoutMs: action.includes('held') ? 20_000 : 1_000, memory: 2 ** 28 }, trap(action))
  const [good, bad] = [write('good.mov', '22'), write('bad.mov', '1')]
  expect((await readPath(reader, good)).failure).toBe('')
  expect((await readPath(reader, bad)).failure).toBe(`The file can't be read: ${reason}`)
  expect((await readPath(reader, good)).failure).toBe('')
})

test('mutated files neither end the reader nor change the facts of others', async () => {
  const random = newRandom(testSeed(30))
  const reader = testReader()
  const whole = await valuesOf(join(samples, 'clip.mov'), reader)
  for (let n = 0; n < cases(60, 1_000); n++) {
    const name = random.pick(names)
    const bytes = Buffer.from(sample(name))
    for (let changes = 1 + random.below(20); changes > 0; changes--)
      bytes[random.below(bytes.length)] = random.below(256)
    const end = random.chance(0.3) ? random.below(bytes.length) : bytes.length
    await readPath(reader, write(`mutated-${name}`, bytes.subarray(0, end)))
  }
  expect(await valuesOf(join(samples, 'clip.mov'), reader)).toEqual(whole)
})

type Files = Record<string, Uint8Array>
const md5Of = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
const changed = 'The object was replaced since the scan. Scan it again'

/** Reads the objects of a store as a job does that was planned with `files`; values, or the reason why they could not be read, by key. */
async function readStore(
  store: MediaOrder['store'],
  files: Files,
  hashOf = md5Of,
  pace: MediaOrder['pace'] = undefined,
) {
  const keys = Object.keys(files)
  const planned = keys.map((key, n): PlannedFile => {
    const [path, bytes] = [`/${key}`, files[key] as Uint8Array]
    const place = `1 ${hashOf(bytes)}`
    return { position: n + 1, path, place, pathInStorage: path, size: bytes.length, modified: 1, reference: '' }
  })
  const outcomes: FileOutcome[] = []
  const link = {
    files: async function* () {
      yield planned
    },
    record: async (found: FileOutcome[]) => void outcomes.push(...found),
  } as unknown as Parameters<typeof readMediaFiles>[0]
  const free = readers.map(({ read }) => ({ read, stop() {} }))
  await readMediaFiles(link, { store, pace }, forever, () => free.pop() as (typeof free)[number])
  return Object.fromEntries(
    outcomes.map(({ position, reason, media }) => {
      const values = media && { ...media.texts, ...media.numbers }
      return [keys[position - 1] ?? '', reason ? `${reason}${media ? ' (stored)' : ''}` : values]
    }),
  )
}

/** A bucket of these objects; `objects` may be changed. */
async function bucketOf(objects: Files, behaviour = {}) {
  const files = new Map(Object.entries(objects))
  const buckets = { films: { objects: objectsOf([]), files } }
  const simulator = await forTest(startSimulator({ accounts: [account], buckets, behaviour }))
  const place = { region: '', namespace: '', endpoint: simulator.url, bucket: 'films' }
  return { ...simulator, files, store: { type: 'OTHER' as const, ...place, ...account } }
}

const names = ['clip.mov', 'master.mov', 'sound.wav', 'photo.jpg']
const allSamples = (nameOf = (name: string) => name): Files =>
  Object.fromEntries(names.map((name) => [nameOf(name), sample(name)]))

/** The clip with some bytes before its index, which is at its end as cameras write it. */
function longClip(bytes: number): Buffer {
  const clip = sample('clip.mov')
  const index = clip.indexOf('moov') - 4
  const free = Buffer.alloc(bytes)
  free.writeUInt32BE(bytes)
  free.write('free', 4)
  return Buffer.concat([clip.subarray(0, index), free, clip.subarray(index)])
}

test('objects of S3 have the facts of the same local files, by their exact keys, and are read at the pace of media files', async () => {
  const odd = (name: string) => `/../a//b/%2F+ ü?#&\u0001/${name}`
  const { store } = await bucketOf(allSamples(odd))
  const found = await readStore(store, allSamples(odd))
  for (const name of names) expect(found[odd(name)]).toEqual(await valuesOf(join(samples, name)))
  const pace = { maxLookups: 4, maxEntriesPerSecond: 999, maxMediaFilesPerSecond: 4, quietHours: null, timeZone: 'UTC' }
  const start = performance.now()
  const inFolder = Object.fromEntries(Object.entries(allSamples(odd)).map(([key, bytes]) => [key.slice(4), bytes]))
  expect(await readStore({ ...store, prefix: '/..' }, inFolder, md5Of, pace)).toEqual(
    Object.fromEntries(Object.entries(found).map(([key, values]) => [key.slice(4), values])),
  )
  expect(performance.now() - start).toBeGreaterThan(900)
})

// The index at the end was found by reading the whole object: https://github.com/google/ExoPlayer/issues/2695 and
// https://github.com/Vanilagy/mediabunny/issues/323
test('an object takes few requests and less than 512 KB, also with its index at its end', async () => {
  const files = { 'long.mov': longClip(8_000_000), 'stream.ts': Buffer.alloc(4_000_000, 'no stream') }
  const { store, objects } = await bucketOf(files)
  const local = await valuesOf(write('long.mov', files['long.mov']))
  expect(await readStore(store, { 'long.mov': files['long.mov'] })).toEqual({ 'long.mov': local })
  expect(local).toMatchObject({ 'video.codec': 'h264', 'media.duration': 1.001 })
  expect(objects.bytes).toBeLessThan(512 * 1_024)
  const before = { ...objects }
  await readStore(store, { 'stream.ts': files['stream.ts'] })
  const ofStream = [objects.requests - before.requests, objects.bytes - before.bytes]
  expect([before, ofStream]).toEqual([{ requests: 2, bytes: expect.any(Number) }, [4, expect.any(Number)]])
  expect(ofStream[1]).toBeLessThan(512 * 1_024)
})

// Answers without If-Match mixed two versions: https://github.com/chimera-nas/chimera/issues/475
test.each([{}, { ignoresMatch: true }])(
  'an object that was replaced is named, and not stored as read %j',
  async (how) => {
    const files = {
      'a.mov': longClip(2_000_000),
      'b.wav': sample('sound.wav'),
      'c.mov': longClip(2_000_000),
      'd.mov': sample('clip.mov'),
    }
    const bucket = await bucketOf({ ...files, 'b.wav': sample('sound.wav').fill(0, 100) }, how)
    bucket.files.delete('d.mov')
    const [requests, other] = [bucket.objects, longClip(2_000_001).subarray(0, files['c.mov'].length)]
    // Between two requests of the object.
    const get = bucket.files.get.bind(bucket.files)
    let reads = 0
    bucket.files.get = (key) => (key === 'c.mov' && ++reads > 1 ? other : get(key))
    const found = await readStore(bucket.store, files)
    expect(found).toEqual({
      'a.mov': expect.any(Object),
      'b.wav': changed,
      'c.mov': changed,
      'd.mov': 'The object no longer exists',
    })
    expect(requests.requests).toBeLessThan(10)
  },
)

// A store or a proxy answered the range with all of the object: https://github.com/open-noodle/gallery/pull/854
// and a range that is all of it with status 200: https://github.com/oxyno-zeta/s3-proxy/issues/740
test('a store may send small objects whole, and is cut off with large ones', async () => {
  const files = { 'clip.mov': sample('clip.mov'), 'long.mov': longClip(3_000_000) }
  const clip = await valuesOf(join(samples, 'clip.mov'))
  const whole = await bucketOf(files, { ignoresRanges: true })
  const found = await readStore(whole.store, files)
  expect(found).toEqual({
    'clip.mov': clip,
    'long.mov': expect.stringMatching(/sends more of an object than is read at once$/),
  })
  const proxied = await bucketOf(files, { wholeRangeStatus: 200 })
  expect(await readStore(proxied.store, files)).toEqual({ 'clip.mov': clip, 'long.mov': expect.any(Object) })
})

test('a busy store is tried again, and objects that are denied or archived do not stop the others', async () => {
  const files = allSamples()
  const refusedObjects = { 'clip.mov': 'AccessDenied', 'photo.jpg': 'InvalidObjectState' }
  const { store, objects } = await bucketOf(files, { busy: 3, refusedObjects })
  expect(await readStore(store, files)).toEqual({
    'clip.mov': expect.stringMatching(/no right to read objects of the bucket films \(s3:GetObject\)$/),
    'photo.jpg': 'The object is in an archive class. Restore it to read it',
    'sound.wav': await valuesOf(join(samples, 'sound.wav')),
    'master.mov': await valuesOf(join(samples, 'master.mov')),
  })
  expect(objects.requests).toBe(4)
})

test('a store that denies all objects, or its keys, ends the job after a few of them', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`${n}.mov`, sample('clip.mov')]))
  const refusedObjects = Object.fromEntries(Object.keys(many).map((key) => [key, 'AccessDenied']))
  const { store, objects } = await bucketOf(many, { refusedObjects })
  await expect(readStore(store, many)).rejects.toThrow('no right to read objects')
  expect(objects.requests).toBeLessThan(30)
  await expect(readStore({ ...store, secretKey: 'wrong' }, many)).rejects.toThrow('does not belong to the')
})

test('blobs of Azure have the facts of the same local files, and those that changed are named', async () => {
  const { containerClient } = await service.createContainer('films')
  const files: Files = { ...allSamples((name) => `a b/%2F+ü?#/${name}`), 'long.mov': longClip(3_000_000) }
  for (const [key, bytes] of Object.entries(files)) await containerClient.getBlockBlobClient(key).uploadData(bytes)
  const store = { type: 'AZURE' as const, container: 'films', connectionString }
  const found = await readStore(store, files)
  for (const name of names) expect(found[`a b/%2F+ü?#/${name}`]).toEqual(await valuesOf(join(samples, name)))
  expect(found['long.mov']).toEqual(await valuesOf(write('long.mov', longClip(3_000_000))))
  const other = { ...files, 'long.mov': longClip(2_999_999), 'gone.mov': sample('clip.mov') }
  const again = await readStore(store, other, (bytes) => (bytes.length < 2_000 ? 'f'.repeat(32) : md5Of(bytes)))
  expect([again['long.mov'], again['gone.mov']]).toEqual([changed, 'The object no longer exists'])
  expect(again['a b/%2F+ü?#/photo.jpg']).toBe(changed)
  const wrong = connectionString.replace(/AccountKey=[^;]+/, `AccountKey=${Buffer.alloc(64).toString('base64')}`)
  await expect(readStore({ ...store, connectionString: wrong }, files)).rejects.toThrow('Azure does not accept')
})
