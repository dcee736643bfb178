import { expect, test } from 'vitest'
import { defaultTimes } from './storageManager.ts'
import { listOf, requestsTo, root, run, withFiles, withTapes } from './testing.ts'

test('files are stored on tape, those that are there already without a request', async () => {
  const names = Array.from({ length: 95 }, (_, i) => `clip ${i}`)
  const stornext = await withFiles(names)
  const copies = [{ copy: 1, mediaId: 'A00003L8', startBlock: 0, checksums: ['a'] }]
  stornext.addFile(`${root}/clip 7`, { size: 300e6, copies })
  stornext.addFile(`${root}/clip 8`, { size: 0 })
  const list = listOf(names)
  await run(stornext, list)
  expect(list.places('done')).toHaveLength(95)
  expect(stornext.tapeLog).toHaveLength(93)
  expect([stornext.processed(`${root}/clip 7`).store, stornext.processed(`${root}/clip 8`).store]).toEqual([0, 0])
  expect(requestsTo(stornext, 'file/fsstore')).toBe(3)
  expect(new Set(stornext.requests.map(({ path }) => path.includes('planted-password')))).toEqual(new Set([false]))
})

test('nothing is requested for files that are all done', async () => {
  const stornext = await withFiles(['a', 'b'])
  await run(stornext, listOf(['a', 'b']))
  const list = listOf(['a', 'b'])
  await run(stornext, list)
  expect(list.places('done')).toHaveLength(2)
  expect(requestsTo(stornext, 'file/fsstore')).toBe(1)
})

test('a store is done when the policy has all of its copies', async () => {
  const stornext = await withFiles(['a'])
  stornext.addClass('safe', { directories: [root], copies: 2 })
  const list = listOf(['a'])
  await run(stornext, list)
  expect(list.places('done')).toHaveLength(1)
  expect(stornext.files.get(`${root}/a`)?.copies).toHaveLength(2)
})

test('copies with different checksums are not safe', async () => {
  const stornext = await withFiles([])
  const copy = { mediaId: 'A00001L8', startBlock: 0 }
  const copies = [
    { ...copy, copy: 1, checksums: ['a'] },
    { ...copy, copy: 2, mediaId: 'A00002L8', checksums: ['b'] },
  ]
  stornext.addClass('safe', { directories: [root], copies: 2 })
  stornext.addFile(`${root}/a`, { size: 5, copies })
  const list = listOf(['a'])
  await run(stornext, list)
  expect(list.listed[0]?.reason).toContain('copies of the file on A00001L8, A00002L8 have different checksums')
})

test('files are retrieved tape by tape, in the order of their positions', async () => {
  const tapes = { A00001L8: ['a1', 'a2', 'a3', 'a4'], A00002L8: ['b1', 'b2', 'b3', 'b4'] }
  const stornext = await withTapes(tapes)
  const list = listOf(['b4', 'a2', 'a1', 'b1', 'a4', 'b2', 'b3', 'a3'])
  await run(stornext, list, { verb: 'retrieve' })
  expect(list.places('done')).toHaveLength(8)
  expect(stornext.tapeLog.map(({ path }) => path)).toEqual(
    [...tapes.A00001L8, ...tapes.A00002L8].map((name) => `${root}/${name}`),
  )
  expect(stornext.drive.mounts).toBe(2)
})

test('the tapes of several requests are mounted once, and files without a position follow', async () => {
  const names = (letter: string) => Array.from({ length: 60 }, (_, i) => `${letter}${i}`)
  const stornext = await withTapes({ A00001L8: names('a'), A00002L8: names('b') })
  stornext.faults.failNext('file/fsfiletapeloc', 404, '', { times: 1_000 })
  const list = listOf(names('a').flatMap((name, i) => [name, `b${i}`]))
  await run(stornext, list, { verb: 'retrieve' })
  expect(list.places('done')).toHaveLength(120)
  expect(stornext.drive.mounts).toBe(2)
  expect(requestsTo(stornext, 'file/fsretrieve')).toBe(3)
})

test('a file on disk is not retrieved, also if a retrieval of it is running', async () => {
  const stornext = await withTapes({ A00001L8: ['a', 'b'] })
  await run(stornext, listOf(['a']), { verb: 'retrieve' })
  const list = listOf(['a', 'b'])
  await run(stornext, list, { verb: 'retrieve' })
  expect(list.places('done')).toHaveLength(2)
  expect([stornext.processed(`${root}/a`).retrieve, stornext.processed(`${root}/b`).retrieve]).toEqual([1, 1])
})

test('small files are stored by many commands at once', async () => {
  const names = Array.from({ length: 2_560 }, (_, i) => `frame ${i}`)
  const drive = { mountMs: 0, msPerBlock: 0, bytesPerSecond: 1e15 }
  const stornext = await withFiles(names, { clock: { speed: 1 }, drive })
  const list = listOf(names)
  let maxPending = 0
  await run(stornext, list, {
    ...defaultTimes,
    onRecord: () =>
      (maxPending = Math.max(maxPending, stornext.jobs.all().filter(({ state }) => state === 'PENDING').length)),
  })
  expect(list.places('done')).toHaveLength(names.length)
  expect(maxPending).toBeGreaterThan(2)
  expect(maxPending).toBeLessThanOrEqual(32)
})
