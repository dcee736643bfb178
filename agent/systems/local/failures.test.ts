import { expect, test } from 'vitest'
import { reason } from './failures.ts'

const failed = (code: string, words: string) => Object.assign(new Error(`${code}: ${words}, stat '/x'`), { code })

test('the error of a file system is explained in a few words, also if Node has none', () => {
  expect(reason(failed('EACCES', 'permission denied'))).toBe('EACCES: permission denied')
  const unknown = 'Unknown system error -116'
  expect(reason(failed(unknown, unknown))).toBe('ESTALE: stale file handle')
  expect(reason('odd')).toBe('odd')
})
