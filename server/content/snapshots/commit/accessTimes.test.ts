import { expect, test } from 'vitest'
import { judgeAccessTimes } from './accessTimes.ts'

const counts = { files: 1_000, dated: 1_000, settled: 900, accessed: 0, spread: 1e7 }

test('the mount options decide that accesses are not recorded', () => {
  expect(judgeAccessTimes({ ...counts, accessed: 500 }, false)).toBe('frozen')
})

test('a disk that records accesses may have files that no one ever read', () => {
  expect(judgeAccessTimes(counts, true)).toBe('recorded')
  expect(judgeAccessTimes(counts)).toBe('frozen')
  expect(judgeAccessTimes({ ...counts, accessed: 20 })).toBe('recorded')
})

test('access times that a restore set are frozen on any disk', () => {
  expect(judgeAccessTimes({ ...counts, accessed: 900, spread: 5 }, true)).toBe('frozen')
})

test('a storage without files, or with files changed lately, is not judged', () => {
  expect(judgeAccessTimes({ files: 0, dated: 0, settled: 0, accessed: 0, spread: 0 })).toBe('recorded')
  expect(judgeAccessTimes({ ...counts, settled: 10, spread: 0 })).toBe('recorded')
  expect(judgeAccessTimes({ ...counts, dated: 0, settled: 0, spread: 0 })).toBe('missing')
})
