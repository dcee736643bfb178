import { expect, test } from 'vitest'
import { start } from '#agent/simulator/testing.ts'
import { ask, askAndWait, finished, infoOf, resultOf, root, withFiles } from './testing.ts'

const [a, b, c] = [`${root}/a`, `${root}/b`, `${root}/c`]

test('a sync call holds its connection until the tape is done', async () => {
  const stornext = await withFiles()
  let isDone = false
  const answer = ask(stornext, 'file/fsstore', { file: a }).finally(() => (isDone = true))
  await expect.poll(() => stornext.drive.mounts).toBe(1)
  stornext.clock.advance(60_999)
  await ask(stornext, 'system/info')
  expect(isDone).toBe(false)
  stornext.clock.advance(1)
  expect(resultOf(await answer)).toMatchObject({ commandStatus: 'completed' })
  expect(stornext.tapeLog).toEqual([{ kind: 'write', path: a, mediaId: 'A00001L8', startBlock: 0, at: start + 61_000 }])
})

test('the order of a retrieval is measurable: mounts and positioning take time', async () => {
  const timeOf = async (order: string[]) => {
    const stornext = await withFiles()
    const tapes = ['A00001L8', 'A00002L8']
    for (const [i, path] of [a, b, c].entries()) {
      const file = stornext.files.get(path)!
      Object.assign(file, { isOnDisk: false })
      file.copies.push({ copy: 1, mediaId: tapes[i % 2] ?? '', startBlock: i * 100_000, checksums: [] })
    }
    await askAndWait(stornext, 'file/fsretrieve', { file: order })
    return [stornext.drive.mounts, stornext.tapeLog.at(-1)!.at - stornext.requests[0]!.at]
  }
  expect((await timeOf([a, b, c]))[0]).toBe(3)
  const [mounts, sorted = 0] = await timeOf([a, c, b])
  expect(mounts).toBe(2)
  const [, unsorted = 0] = await timeOf([c, a, b])
  expect(unsorted).toBeGreaterThan(sorted)
})

test('a retrieval falls back to the second copy, and fails if both tapes are away', async () => {
  const stornext = await withFiles()
  stornext.addClass('safe', { directories: [root], copies: 2 })
  await askAndWait(stornext, 'file/fsstore', { file: [a, b] })
  await askAndWait(stornext, 'file/fsrmdiskcopy', { file: [a, b] })
  stornext.media.get('A00001L8')!.isOnline = false
  await askAndWait(stornext, 'file/fsretrieve', { file: a })
  expect(stornext.tapeLog.at(-1)).toMatchObject({ kind: 'read', mediaId: 'A00002L8' })
  stornext.media.get('A00002L8')!.isOnline = false
  const { body } = await askAndWait(stornext, 'file/fsretrieve', { file: b })
  expect(body.statuses[0].statusText).toBe(`Media of ${b} is not available.`)
  expect((await infoOf(stornext, b)).location).toBe('TAPE')
  Object.assign(stornext.media.get('A00001L8')!, { isOnline: true, isDamaged: true })
  const damaged = await askAndWait(stornext, 'file/fsretrieve', { file: b })
  expect(resultOf(damaged)).toMatchObject({ commandStatus: 'failed' })
})

test('without scratch media nothing is stored, and a full tape is skipped', async () => {
  const stornext = await withFiles()
  stornext.media.get('A00001L8')!.capacityBytes = 400e6
  await askAndWait(stornext, 'file/fsstore', { file: [a, b] })
  expect([stornext.filesOn('A00001L8'), stornext.filesOn('A00002L8')]).toEqual([[a], [b]])
  for (const media of stornext.media.values()) media.isOnline = false
  const { body } = await askAndWait(stornext, 'file/fsstore', { file: [b, c] })
  expect(body.statuses[0].statusText).toBe(`No scratch media available to store ${c}.`)
  expect(body.statuses).toHaveLength(2)
})

test('work waits for a busy drive', async () => {
  const stornext = await withFiles()
  stornext.drive.isBusy = true
  const answer = ask(stornext, 'file/fsstore', { file: a })
  await ask(stornext, 'system/info')
  stornext.clock.advance(3_600_000)
  expect(stornext.drive.mounts).toBe(0)
  stornext.drive.isBusy = false
  expect(resultOf(await finished(stornext, answer))).toMatchObject({ commandStatus: 'completed' })
})

test('a file that changes or is deleted while it is written has no copy', async () => {
  const stornext = await withFiles()
  const answer = ask(stornext, 'file/fsstore', { file: [a, b] })
  await expect.poll(() => stornext.drive.mounts).toBe(1)
  stornext.files.change(a, { size: 7 })
  stornext.files.remove(b)
  const { body } = await finished(stornext, answer)
  expect(body.statuses.map(({ statusText }: { statusText: string }) => statusText).slice(0, 2)).toEqual([
    `File ${a} changed while it was stored.`,
    `File ${b} was deleted. Use fsrecover.`,
  ])
  expect((await infoOf(stornext, a)).existingCopies).toBe(0)
})
