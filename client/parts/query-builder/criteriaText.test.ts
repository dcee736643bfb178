import { expect, test } from 'vitest'
import { searchableFields } from '#events/search/query.ts'
import { criteriaError } from './criteria.ts'
import { criteriaText, readGroup, readValue } from '#events/search/string-format/criteriaText.ts'
import { fieldTitles, newCondition, operatorsOf, typeOf } from '#events/search/string-format/conditions.ts'

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

test('conditions of an address are written and read back unchanged', () => {
  expect(JSON.parse(criteriaText(readGroup(JSON.stringify(nested))))).toEqual(nested)
})

test('an incomplete condition requests nothing', () => {
  const of = (field: string, operator: string, value: string) =>
    readValue({ ...newCondition(), field, operator, value })
  expect(of('size', 'min', '10 GB')).toBe(10 * 1024 ** 3)
  expect(of('size', 'min', 'big')).toBeUndefined()
  expect(of('numberOfFiles', 'values', '1, 2')).toEqual([1, 2])
  expect(of('numberOfFiles', 'values', '1, x')).toBeUndefined()
  expect(of('creationDate', 'after', '2026-1')).toBeUndefined()
  expect(of('creationDate', 'after', '2026-02-30')).toBeUndefined()
  expect(of('size', 'min', '-1 GB')).toBeUndefined()
  expect(of('extension', 'values', ' , .')).toBeUndefined()
  expect(of('name', 'wildcard', ' ')).toBeUndefined()
})

test('lists have commas between their values; extensions have no dots and spaces around them', () => {
  const of = (field: string, value: string) => readValue({ ...newCondition(), field, operator: 'values', value })
  expect(of('extension', '.mov, .tar.gz, 2 final draft,')).toEqual(['mov', 'tar.gz', '2 final draft'])
  expect(of('customTags', 'a, "b, ""c""" , "d')).toEqual(['a', 'b, "c"', '"d'])
  expect(of('size', '1 KB, 2Bytes')).toEqual([1_024, 2])
  const commas = [{ customTags: { values: ['a, b', ' c', '"d"'] } }]
  expect(JSON.parse(criteriaText(readGroup(JSON.stringify(commas)))).searchQueries).toEqual(commas)
})

test('sizes of an address are written in the unit in which they are whole', () => {
  const sizes = [0, 1_023, 1_024, 5 * 1024 ** 5].map((min) => ({ size: { min } }))
  expect(readGroup(JSON.stringify(sizes)).conditions.map(({ value }) => value)).toEqual([
    '0 B',
    '1023 B',
    '1 KiB',
    '5 PiB',
  ])
})

test('each field has a title, and each of its operators is understood by the server', () => {
  const samples = {
    string: 'a',
    long: '1',
    integer: '1',
    double: '1.5',
    date: '2026-01-01',
    boolean: 'true',
    list: '1',
    choice: 'changed',
  }
  expect(Object.keys(fieldTitles).sort()).toEqual(Object.keys(searchableFields).sort())
  for (const field of Object.keys(searchableFields))
    for (const operator of Object.keys(operatorsOf[typeOf(field)])) {
      const condition = { ...newCondition(), field, operator, value: samples[typeOf(field)] }
      const criteria = criteriaText({ id: 0, operator: 'AND', conditions: [condition], groups: [] })
      expect(criteriaError(criteria), `${field} ${operator}`).toBeUndefined()
    }
})

test('conditions that the server would refuse are listed', () => {
  expect(criteriaError('{')).toBe('criteria must be JSON')
  expect(criteriaError('[{"mood":{"value":"x"}}]')).toContain('is not a searchable field')
})
