import { expect, test } from 'vitest'
import { searchableFields } from '#events/search-query.ts'
import { faultOfCriteria, isTooLong } from './criteriaOf.ts'
import { criteriaText, readGroup, readValue, sentenceOf } from './criteriaText.ts'
import { fieldTitles, newCondition, operatorsOf, typeOf } from './draft.ts'

const nested = {
  searchOperator: 'AND',
  searchQueries: [{ name: { wildcard: '*.mov' } }, { owner: { value: 'ana' }, excludeFilter: true }],
  searchQueryNodes: [
    {
      searchOperator: 'OR',
      searchQueries: [{ size: { min: 1024 } }, { volumeId: { values: [1, 9] } }, { isDupe: { value: true } }],
      searchQueryNodes: [],
    },
  ],
}
const nameOf = (id: string) => (id === '1' ? 'Films' : undefined)

test('conditions of an address are written, and come back as they were', () => {
  expect(JSON.parse(criteriaText(readGroup(JSON.stringify(nested))))).toEqual(nested)
})

test('they read as a sentence; a storage that is not there is invalid', () => {
  expect(sentenceOf(readGroup(JSON.stringify(nested)), nameOf)).toBe(
    'Name matches "*.mov" AND NOT Owner is "ana" AND (Size is at least 1024 OR Storage is one of "Films, Invalid" OR Duplicate is yes)',
  )
})

test('several operators of one field are a group of their own', () => {
  const list = [{ size: { min: 1, max: 2 } }, { size: { min: 3, max: 4 }, excludeFilter: true }]
  expect(sentenceOf(readGroup(JSON.stringify(list)), nameOf)).toBe(
    '(Size is at least 1 AND Size is at most 2) AND (NOT Size is at least 3 OR NOT Size is at most 4)',
  )
})

test('what is not complete asks nothing', () => {
  const of = (field: string, operator: string, value: string) =>
    readValue({ ...newCondition(), field, operator, value })
  expect(of('size', 'min', '10 GB')).toBe(10 * 1024 ** 3)
  expect(of('size', 'min', 'big')).toBeUndefined()
  expect(of('numberOfFiles', 'values', '1, 2')).toEqual([1, 2])
  expect(of('numberOfFiles', 'values', '1, x')).toBeUndefined()
  expect(of('creationDate', 'after', '2026-1')).toBeUndefined()
  expect(of('name', 'wildcard', ' ')).toBeUndefined()
})

test('each field has a title, and each of its operators is understood by the server', () => {
  const samples = { string: 'a', long: '1', integer: '1', date: '2026-01-01', boolean: 'true', list: '1' }
  expect(Object.keys(fieldTitles).sort()).toEqual(Object.keys(searchableFields).sort())
  for (const field of Object.keys(searchableFields))
    for (const operator of Object.keys(operatorsOf[typeOf(field)])) {
      const condition = { ...newCondition(), field, operator, value: samples[typeOf(field)] }
      const criteria = criteriaText({ id: 0, operator: 'AND', conditions: [condition], groups: [] })
      expect(faultOfCriteria(criteria), `${field} ${operator}`).toBeUndefined()
    }
})

test('what the server would refuse is named', () => {
  expect(faultOfCriteria('{')).toBe('criteria must be JSON')
  expect(faultOfCriteria('[{"mood":{"value":"x"}}]')).toContain('is no field that can be searched')
})

test('conditions are too long by what an address makes of their letters', () => {
  const named = (name: string) => JSON.stringify([{ name: { value: name } }])
  expect(isTooLong(named('a'.repeat(7_000)))).toBe(false)
  expect(isTooLong(named('a'.repeat(7_500)))).toBe(true)
  expect(isTooLong(named('日'.repeat(800)))).toBe(false)
  expect(isTooLong(named('日'.repeat(850)))).toBe(true)
})
