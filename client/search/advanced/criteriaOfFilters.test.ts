import { expect, test } from 'vitest'
import { Criteria } from '#events/criteria.ts'
import { SearchFilters } from '#events/search-filters.ts'
import { criteriaOfFilters } from './criteriaOfFilters.ts'

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
