import { expect, test } from 'vitest'
import { checkSort } from './checkSort.ts'
import { Problem } from '#server/platform/problem.ts'

const refusal = (sort: string) => {
  try {
    checkSort(sort, { name: 1, size: 2 })
  } catch (error) {
    return error instanceof Problem && [error.status, error.subErrors]
  }
}

test('a list is sorted by the columns it has, whether they are listed or keys', () => {
  expect(() => checkSort('size', ['name', 'size'])).not.toThrow()
  expect(refusal('size')).toBeUndefined()
})

test.each(['colour', '', 'Name', 'toString', '__proto__'])(
  'another word is refused, with those there are: %s',
  (sort) => {
    expect(refusal(sort)).toEqual([400, [{ field: 'sort', message: 'must be one of name, size' }]])
  },
)
