import { expect, test } from 'vitest'
import { reason } from './failures.ts'

const failed = (code: string, words: string) => Object.assign(new Error(`${code}: ${words}, stat '/x'`), { code })

test('why a file system refused is said in a few words, also where Node has none', () => {
  expect(reason(failed('EACCES', 'permission denied'))).toBe('EACCES: permission denied')
  const unknown = 'Unknown system error -116'
  expect(reason(failed(unknown, unknown))).toBe('ESTALE: stale file handle')
  expect(reason('odd')).toBe('odd')
})
