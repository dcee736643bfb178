import { expect, test } from 'vitest'
import { StorNextAnswer } from '#events/actions/storNext.ts'
import { lookUpStoredFile } from '../../requestHandlers.ts'
import { storedFileOf } from './fileInfo.ts'
import { connectionTo, listOf, root, run, withFiles, withTapes } from './testing.ts'
import { readStoredFile } from './storedFile.ts'

const signal = new AbortController().signal

test('a file is described by its copies, tapes and places', async () => {
  const stornext = await withFiles(['a', 'b'], { readings: { numbers: 'text' } })
  const path = `${root}/a`
  const onDisk = await readStoredFile(connectionTo(stornext), path, signal)
  expect(onDisk).toMatchObject({
    location: 'DISK',
    isOnDisk: true,
    isOnTape: false,
    isSafe: false,
    media: [],
    size: 300e6,
  })
  await run(stornext, listOf(['a']))
  const stored = await readStoredFile(connectionTo(stornext), path, signal)
  expect(stored).toMatchObject({
    location: 'DISK AND TAPE',
    isOnDisk: true,
    isOnTape: true,
    isSafe: true,
    policyClass: 'media',
    existingCopies: 1,
    targetCopies: 1,
    media: [{ mediaId: 'A00001L8', copy: 1 }],
    checksums: [{ segment: 1, copy: 1 }],
    raw: { location: 'DISK AND TAPE', existingCopies: '1' },
  })
  expect(await readStoredFile(connectionTo(stornext), `${root}/unknown`, signal)).toBe(null)
})

test('the agent answers with the file, null, or the reason', async () => {
  const stornext = await withTapes({ A00001L8: ['a'] })
  const ask = async (path: string, password?: string) =>
    StorNextAnswer.parse(await lookUpStoredFile(JSON.stringify({ connection: connectionTo(stornext, password), path })))
  expect(await ask(`${root}/a`)).toMatchObject({ failure: null, file: { isOnDisk: false, isOnTape: true } })
  expect(await ask(`${root}/x`)).toEqual({ failure: null, file: null })
  expect(await ask(`${root}/a`, 'wrong')).toMatchObject({
    failure: { message: expect.stringContaining('does not accept the user'), debugMessage: 'status 401, Unauthorized' },
    file: null,
  })
  stornext.faults.failNext('file/fsfileinfo', 200)
  expect((await ask(`${root}/a`)).failure?.message).toContain('Storage Manager behind them does not')
})

test('locations and lists are read in all their forms', () => {
  expect(storedFileOf({ location: 'FOREIGN SYSTEM', existingCopies: 1, targetCopies: 1 })).toMatchObject({
    isOnDisk: false,
    isSafe: false,
  })
  expect(storedFileOf({ location: 'DISK AND ARCHIVE', existingCopies: '2', targetCopies: '2' }).isSafe).toBe(true)
  expect(storedFileOf({ location: 'DISK', fileSize: 0, existingCopies: 0 }).isSafe).toBe(true)
  expect(storedFileOf({ location: 'DISK', existingCopies: 0 }).isSafe).toBe(false)
  expect(storedFileOf({ location: 'TAPE', medias: [{ message: 'None' }, { summary: '0' }] }).media).toEqual([])
})
