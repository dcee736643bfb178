import { expect, test } from 'vitest'
import { Criteria } from '#events/criteria.ts'
import { SearchFilters } from '#events/search-filters.ts'
import { filterNames, keptName } from '../filterNames.ts'
import { criteriaOfFilters, filtersAlone } from './criteriaOfFilters.ts'

const criteriaOf = (filters: Parameters<typeof SearchFilters.parse>[0]) => {
  const criteria = JSON.parse(criteriaOfFilters(SearchFilters.parse(filters)))
  expect(Criteria.safeParse(criteria).error).toBeUndefined()
  return criteria
}

test('patterns are left out, and what has no extension as the filters mean it', () => {
  expect(criteriaOf({ ignorePattern: ['*.tmp', '/cache/*'] })).toMatchObject({
    searchQueries: [
      { name: { wildcard: '*.tmp' }, excludeFilter: true },
      { path: { wildcard: '/cache/*' }, excludeFilter: true },
    ],
    searchQueryNodes: [],
  })
  expect(criteriaOf({ ignorePattern: '*.*', storageAndPath: '7:/films' })).toMatchObject({
    searchQueries: [{ extension: { wildcard: '?*' }, excludeFilter: true }],
    searchQueryNodes: [
      { searchOperator: 'OR', searchQueryNodes: [{ searchQueries: [{ volumeId: { values: [7] } }, {}] }] },
      {
        searchOperator: 'OR',
        searchQueries: [{ isDirectory: { value: false } }, { name: { wildcard: '*.*' }, excludeFilter: true }],
      },
    ],
  })
})

test('every filter becomes a condition, or is one of those that are named as left out', () => {
  const samples = { storageAndPath: '7:/films', startingPath: '/films', volumeId: '7' }
  const others = ['true', '2026-01-01', '12']
  const sampleOf = (name: string) =>
    [(samples as Record<string, string>)[name], ...others].find(
      (value) => value !== undefined && SearchFilters.safeParse({ [name]: value }).success,
    )
  const written = filterNames.filter((name) => keptName(name) === name && !name.endsWith('Unit'))
  const lost = written.filter((name) => criteriaOfFilters(SearchFilters.parse({ [name]: sampleOf(name) })) === nothing)
  expect(lost.toSorted()).toEqual(filtersAlone.filter((name) => keptName(name) === name).toSorted())
})
const nothing = criteriaOfFilters(SearchFilters.parse({}))
