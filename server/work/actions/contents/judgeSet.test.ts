import { expect, test } from 'vitest'
import { type ComparedFile, judgeSet } from './judgeSet.ts'

let made = 0
/** A file of 10 bytes with these digests, which is a file of its own on disk. */
const file = (fileId: string, ends: string, whole = '', changes: Partial<ComparedFile> = {}): ComparedFile => ({
  fileId,
  ends,
  whole,
  file: `1-7-${++made}`,
  size: 10,
  shared: 0,
  reason: '',
  comparedAt: 1_600_000_000_000,
  ...changes,
})
const states = (...files: ComparedFile[]) =>
  judgeSet(files).files.map(({ state, group, others }) => [state, group, others])

test('files with the same content are the same, and all but one are reclaimable', () => {
  const files = [file('a', 'e', 'w'), file('b', 'e', 'w'), file('c', 'e', 'w')]
  expect(states(...files)).toEqual([
    ['same', 1, 2],
    ['same', 1, 2],
    ['same', 1, 2],
  ])
  expect(judgeSet(files).verifiedReclaimable).toBe(20)
})

test('bytes that copies share on disk are not reclaimable, and an own copy of the same content is', () => {
  const shared = { shared: 10 }
  const reflinks = [file('a', 'e', 'w', shared), file('b', 'e', 'w', shared), file('c', 'e', 'w', shared)]
  expect(judgeSet(reflinks).verifiedReclaimable).toBe(0)
  expect(judgeSet(reflinks).files).toMatchObject([{ sharedBytes: 10 }, { sharedBytes: 10 }, { sharedBytes: 10 }])
  expect(judgeSet([...reflinks, file('d', 'e', 'w')]).verifiedReclaimable).toBe(10)
  expect(judgeSet([file('a', 'e', 'w', { shared: 4 }), file('b', 'e', 'w', { shared: 4 })]).verifiedReclaimable).toBe(6)
  expect(judgeSet([file('a', 'e', 'w', { shared: 99 }), file('b', 'e', 'w')]).verifiedReclaimable).toBe(10)
})

test('files that differ from all others at their ends or in full are different', () => {
  const files = [file('a', 'e', 'w'), file('b', 'e', 'v'), file('c', 'f')]
  expect(states(...files)).toEqual([
    ['different', 0, 0],
    ['different', 0, 0],
    ['different', 0, 0],
  ])
  expect(judgeSet(files).verifiedReclaimable).toBe(0)
})

test('several contents in a set are numbered, the one with most files first', () => {
  const set = ['v', 'w', 'w', 'v', 'w', 'x'].map((whole, i) => file(String(i), 'e', whole))
  expect(states(...set)).toEqual([
    ['same', 2, 1],
    ['same', 1, 2],
    ['same', 1, 2],
    ['same', 2, 1],
    ['same', 1, 2],
    ['different', 0, 0],
  ])
  expect(judgeSet(set).verifiedReclaimable).toBe(30)
})

test('a file that was read alone, or whose equal ends were never followed by the rest, is not known', () => {
  expect(states(file('a', 'e', 'w'))).toEqual([['unknown', 0, 0]])
  expect(states(file('a', 'e', 'w'), file('b', 'e'))).toEqual([
    ['unknown', 0, 0],
    ['unknown', 0, 0],
  ])
  expect(states(file('a', 'e', 'w'), file('b', 'e'), file('c', 'e', 'w'))).toEqual([
    ['same', 1, 1],
    ['unknown', 0, 0],
    ['same', 1, 1],
  ])
})

test('a file that could not be read has its reason and is equal to none, not to another unreadable one either', () => {
  const failed = { reason: 'The agent has no permission to read the file', file: '' }
  const { files, verifiedReclaimable } = judgeSet([
    file('a', '', '', failed),
    file('b', '', '', failed),
    file('c', 'e', 'w'),
  ])
  expect(files.map(({ state, reason }) => [state, reason])).toEqual([
    ['failed', failed.reason],
    ['failed', failed.reason],
    ['unknown', ''],
  ])
  expect(verifiedReclaimable).toBe(0)
})

test('hard links are the same file and not reclaimable, read in full or not', () => {
  const link = { file: '1-7-99' }
  const pair = judgeSet([file('a', 'e', '', link), file('b', 'e', '', link)])
  expect(pair.files).toMatchObject([
    { state: 'same', others: 1, isHardLink: true },
    { state: 'same', others: 1, isHardLink: true },
  ])
  expect(pair.verifiedReclaimable).toBe(0)
  const withCopy = judgeSet([file('a', 'e', '', link), file('b', 'e', 'w', link), file('copy', 'e', 'w')])
  expect(withCopy.files).toMatchObject([
    { state: 'same', others: 2, isHardLink: true },
    { state: 'same', others: 2, isHardLink: true },
    { state: 'same', others: 2, isHardLink: false },
  ])
  expect(withCopy.verifiedReclaimable).toBe(10)
})

test('an inode that another file has now does not make files the same', () => {
  const link = { file: '1-7-99' }
  expect(states(file('a', 'e', 'w', link), file('b', 'f', '', link))).toEqual([
    ['different', 0, 0],
    ['different', 0, 0],
  ])
})
