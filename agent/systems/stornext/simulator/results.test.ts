import { expect, test } from 'vitest'
import { askAndWait, resultOf, root, withFiles } from './testing.ts'
import type { Readings } from './index.ts'

type Statuses = { statuses: { statusNumber: number; commandStatus: string }[] }
const short = ({ body }: { body: Statuses }) =>
  body.statuses.map(({ statusNumber, commandStatus }) => `${statusNumber} ${commandStatus}`)

const [a, b] = [`${root}/a`, `${root}/b`]

test('success has its own numbers, or zero', async () => {
  const stornext = await withFiles()
  expect(short(await askAndWait(stornext, 'file/fsstore', { file: [a, b] }))).toEqual(['355 completed'])
  expect(short(await askAndWait(stornext, 'file/fsretrieve', { file: [a, b] }))).toEqual(['390 completed'])
  expect(short(await askAndWait(stornext, 'file/fsretrieve', { file: a }))).toEqual(['347 completed'])
  stornext.readings.successStatus = 'informational'
  expect(short(await askAndWait(stornext, 'file/fsstore', { file: a }))).toEqual(['355 informational'])
  stornext.readings.successNumbers = 'zero'
  expect(short(await askAndWait(stornext, 'file/fsstore', { file: a }))).toEqual(['0 completed'])
})

test.for<[string, Partial<Readings>, string[]]>([
  ['failed, after the failures', {}, ['609 failed', '1 failed']],
  ['counted as a success', { partialResult: 'counted' }, ['609 failed', '390 completed']],
  ['failed, before the failures', { resultAt: 'first' }, ['1 failed', '609 failed']],
  ['failed, after all files', { listsSuccesses: true }, ['347 completed', '609 failed', '1 failed']],
])('a partial result is %s', async ([, readings, expected]) => {
  const stornext = await withFiles({ readings })
  expect(short(await askAndWait(stornext, 'file/fsretrieve', { file: [a, '/unknown'] }))).toEqual(expected)
})

test('one step of one file fails, as often as a test wants', async () => {
  const stornext = await withFiles()
  stornext.failFile(a, 'store', 'write error', 2)
  const texts = []
  for (let i = 0; i < 3; i++) texts.push(resultOf(await askAndWait(stornext, 'file/fsstore', { file: [a, b] })))
  expect(texts.map((result) => result?.commandStatus)).toEqual(['failed', 'failed', 'completed'])
  expect([stornext.processed(a).store, stornext.processed(b).store]).toEqual([1, 3])
  for (const [step, command] of [
    ['truncate', 'fsrmdiskcopy'],
    ['retrieve', 'fsretrieve'],
  ] as const) {
    stornext.failFile(a, step, 'not on disk')
    const { body } = await askAndWait(stornext, `file/${command}`, { file: a })
    expect(body.statuses[0].statusText).toBe(`No space on the file system for ${a}.`)
  }
})

test('texts and numbers of failures are replaceable', async () => {
  const stornext = await withFiles()
  stornext.readings.failures['unknown file'] = { number: 0, text: 'No such file: {name}' }
  expect((await askAndWait(stornext, 'file/fsstore', { file: '/x' })).body.statuses[0]).toEqual({
    statusCode: 'FS0000',
    statusNumber: 0,
    statusText: 'No such file: /x',
    commandStatus: 'failed',
  })
})
