import { expect, test } from 'vitest'
import { narrowedCriteria } from './narrowedCriteria.ts'

const narrow = (criteria: object, filters: Record<string, unknown>) => {
  const next = narrowedCriteria(JSON.stringify(criteria), filters)
  return next === undefined ? undefined : JSON.parse(next)
}
const large = { size: { min: 1 } }
const inList = { extension: { values: ['mov'] } }

test('a filter joins conditions that must all match', () => {
  const next = { searchOperator: 'AND', searchQueries: [large, inList], searchQueryNodes: [] }
  expect(narrow([large], { extension: ['mov'] })).toEqual(next)
  expect(narrow({ searchQueries: [large] }, { extension: ['mov'], owner: undefined })).toEqual(next)
})

test('alternatives stay together', () => {
  const either = { searchOperator: 'OR', searchQueries: [large, { isDupe: { value: true } }] }
  expect(narrow(either, { extension: ['mov'] })).toEqual({
    searchOperator: 'AND',
    searchQueries: [inList],
    searchQueryNodes: [either],
  })
})

test('conditions that are nested too deep have no room', () => {
  const deep = [1, 2, 3, 4].reduce(
    (node: object) => ({ searchOperator: 'OR', searchQueries: [large], searchQueryNodes: [node] }),
    {
      searchQueries: [large],
    },
  )
  expect(narrow(deep, { extension: ['mov'] })).toBeUndefined()
})
