import { expect, test } from 'vitest'
import { secretOf } from './form.ts'

const stored = { id: 1, isPasswordLost: false }
const lost = { id: 2, isPasswordLost: true }

test('a secret that is left empty stays what it was, unless there is none or it was lost', () => {
  expect(secretOf('', stored)).toBeNull()
  expect(secretOf('', lost)).toBe('')
  expect(secretOf('', 'new')).toBe('')
  expect(secretOf('another', stored)).toBe('another')
})
