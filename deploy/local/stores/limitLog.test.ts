import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { lastLines, limitLog } from './limitLog.ts'

const newLog = (text: string) => {
  const file = join(testFolder('log'), 'store.log')
  writeFileSync(file, text)
  return file
}
const read = (file: string) => readFileSync(file, 'utf8')

test('a log that exceeds its limit keeps its end in a copy, and its store keeps writing', () => {
  const file = newLog('0123456789')
  const store = openSync(file, 'a')
  limitLog(file, 10)
  expect(existsSync(`${file}.1`)).toBe(false)
  writeSync(store, 'abc')
  limitLog(file, 10)
  expect([read(file), read(`${file}.1`)]).toEqual(['', '3456789abc'])
  writeSync(store, 'more than ten bytes')
  expect(read(file)).toBe('more than ten bytes')
  limitLog(file, 10)
  expect([read(file), read(`${file}.1`)]).toEqual(['', ' ten bytes'])
  closeSync(store)
})

test('a log that others moved is left to them', () => {
  const file = newLog('0123456789')
  renameSync(file, `${file}.1`)
  limitLog(file, 5)
  expect([existsSync(file), read(`${file}.1`)]).toEqual([false, '0123456789'])
})

test('no link is followed', () => {
  const [file, other] = [newLog('0123456789'), newLog('untouched')]
  symlinkSync(other, `${file}.1`)
  limitLog(file, 5)
  expect([read(file), read(other)]).toEqual(['', 'untouched'])
  const link = `${file}.link`
  symlinkSync(other, link)
  limitLog(link, 5)
  expect(read(other)).toBe('untouched')
})

test('the last lines of a log are read without the rest', () => {
  const file = newLog('first\n')
  for (let i = 0; i < 1_000; i++) appendFileSync(file, `line ${i}\n`)
  expect(lastLines(file, 2)).toBe('line 998\nline 999')
  expect(lastLines(`${file}.gone`)).toBe('')
})
