import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { cases, testSeed } from '#server/platform/testing/cases.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { readPath, samples, testReader } from './testing.ts'

const folder = testFolder('media')
const write = (name: string, content: Uint8Array | string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const sample = (name: string) => readFileSync(join(samples, name))
const valuesOf = async (path: string, reader = testReader()) => {
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
  const names = ['clip.mov', 'master.mov', 'sound.wav', 'photo.jpg']
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
