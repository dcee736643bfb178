import { expect, test } from 'vitest'
import { Criteria } from '#events/search/criteria.ts'
import { SearchFilters } from '#events/search/filters.ts'
import { filterNames, canonicalName } from '#client/parts/searched/filterNames.ts'
import { criteriaError } from '#client/parts/query-builder/criteria.ts'
import { criteriaOfFilters, filtersAlone, omittedFilters } from './criteriaOfFilters.ts'

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

test('types become their extensions, and other files have none of those that were not chosen', () => {
  const [isFile, video] = criteriaOf({ fileType: 'video' }).searchQueries
  expect(isFile).toEqual({ isDirectory: { value: false } })
  expect(video.extension.values).toContain('mov')
  const [, others] = criteriaOf({ fileType: ['video', 'other'] }).searchQueries
  expect(others).toMatchObject({ extension: { values: expect.arrayContaining(['jpg', 'py']) }, excludeFilter: true })
  expect(others.extension.values).not.toContain('mov')
  expect(criteriaOf({ lastAccessBefore: 'now-6M' })).toMatchObject({
    searchQueries: [{ lastAccessDate: { before: 'now-6M' } }],
  })
})

test('every filter becomes a condition, or is one of those that are named as left out', () => {
  const samples = {
    storageAndPath: '7:/films',
    startingPath: '/films',
    volumeId: '7',
    archived: 'changed',
    fileType: 'video',
  }
  const others = ['true', '2026-01-01', '12']
  const sampleOf = (name: string) =>
    [(samples as Record<string, string>)[name], ...others].find(
      (value) => value !== undefined && SearchFilters.safeParse({ [name]: value }).success,
    )
  const written = filterNames.filter(
    (name) => canonicalName(name) === name && !name.endsWith('Unit') && name !== 'sizeBase',
  )
  const lost = written.filter((name) => criteriaOfFilters(SearchFilters.parse({ [name]: sampleOf(name) })) === nothing)
  expect(lost.toSorted()).toEqual(filtersAlone.filter((name) => canonicalName(name) === name).toSorted())
})

test('a text as long as filters may have is contained by its pattern', () => {
  const maxText = 'a'.repeat(1_000)
  expect(criteriaOf({ search: maxText, name: maxText })).toMatchObject({
    searchQueries: [{ name: { wildcard: `*${maxText}*` } }, { name: { wildcard: `*${maxText}*` } }],
  })
})

const many = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const wide = '日'.repeat(21_000)
const lists = many(16).map((n) => '日'.repeat(990) + n)
test.each([
  ['more places than conditions', { storageAndPath: many(51).map((n) => `1:/films/${n}`) }, ['storageAndPath']],
  ['more patterns than conditions', { ignorePattern: many(100).map((n) => `*.${n}`) }, ['ignorePattern']],
  ['a path of more bytes than conditions', { startingPath: `/${wide}` }, ['startingPath']],
  ['a path that has no room for its end', { startingPath: `/${'a'.repeat(32_767)}` }, ['startingPath']],
  ['lists of more bytes than conditions', { extension: lists, tags: lists, owner: 'eve' }, ['tags']],
])('%s is left out and listed, and everything else is requested', (_, filters, left) => {
  const read = SearchFilters.parse({ search: 'b', onlyDuplicates: true, ...filters })
  expect(omittedFilters(read)).toEqual([...filtersAlone, ...left])
  const criteria = criteriaOfFilters(read)
  expect(criteriaError(criteria)).toBeUndefined()
  const without = Object.fromEntries(Object.entries(read).filter(([name]) => !left.includes(name)))
  expect(criteria).toBe(criteriaOfFilters(SearchFilters.parse(without)))
})

const nothing = criteriaOfFilters(SearchFilters.parse({}))
