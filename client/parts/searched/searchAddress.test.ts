import { expect, test } from 'vitest'
import { noFilters } from '#events/search/filters.ts'
import { isTooLong, readSearchAddress, searchedBy, withSearchAddress } from './searchAddress.ts'

const read = (query: string) => readSearchAddress(new URLSearchParams(query))
const changed = (query: string, change: Parameters<typeof withSearchAddress>[1]) =>
  withSearchAddress(new URLSearchParams(query), change).toString()

test('calls request exactly the filters of the address', () => {
  const { filters, tab, page, size, sort, invalid } = read(
    'search=a*&activeTab=1&owner=ana&minimumSize=2&minimumSizeUnit=mb&lastAccessBefore=2026-01-01' +
      '&ignorePattern=*.tmp&ignorePattern=cache&extension=.mov, mp4&onlyDuplicates=true&page=3&size=100&sort=name&direction=desc',
  )
  expect(filters).toMatchObject({
    search: 'a*',
    owner: 'ana',
    minimumSize: 2,
    minimumSizeUnit: 'MB',
    lastAccessBefore: '2026-01-01',
    ignorePattern: ['*.tmp', 'cache'],
    extension: ['mov', 'mp4'],
    onlyDuplicates: true,
  })
  expect({ tab, page, size, sort }).toEqual({
    tab: 'folders',
    page: 3,
    size: 100,
    sort: { field: 'name', direction: 'desc' },
  })
  expect(invalid).toEqual([])
})

test('two names of one filter are one filter', () => {
  expect(read('tag=a&tags=b&tags=a&volumeId=1&storageId=2&report=r').params).toEqual({
    tags: ['b', 'a'],
    volumeId: ['1', '2'],
    reports: ['r'],
  })
})

test('invalid parts are left out with a note, and the rest is requested', () => {
  const { filters, tab, page, size, sort, invalid } = read(
    'owner=ana&minimumSize=big&lastAccessAfter=2026-02-30&volumeId=1&volumeId=x&startingPath=films&activeTab=7&page=-1&size=33&sort=mood',
  )
  expect(filters).toEqual({ ...noFilters, owner: 'ana', volumeId: [1] })
  expect({ tab, page, size, sort }).toEqual({ tab: 'files', page: 1, size: undefined, sort: undefined })
  expect(invalid).toEqual([
    'Volume id must be a number',
    'Starting path must begin with /',
    'Last access after must be a date of the form yyyy-MM-dd, or relative to the snapshot, such as now-6M',
    'Minimum size must be a number',
    'activeTab must be 0, 1, 2 or 3',
    'size must be one of 10, 25, 50, 100, 500',
    'page must be a whole number',
    expect.stringMatching(/^sort must be one of name, /),
  ])
})

test('a folder as deep as any is searched in', () => {
  const startingPath = `/${'deep folder/'.repeat(2_000)}`
  expect(read(`${new URLSearchParams({ startingPath, storageAndPath: `7:${startingPath}` })}`)).toMatchObject({
    filters: { startingPath, storageAndPath: [`7:${startingPath}`] },
    invalid: [],
  })
})

test('conditions replace the filters in the request, as they are written', () => {
  const search = (query: string) => searchedBy(read(query))
  expect(search('owner=ana')).toEqual({ filters: { ...noFilters, owner: 'ana' } })
  const query = { name: { wildcard: 'a*' }, excludeFilter: true }
  const node = { searchOperator: 'OR', searchQueries: [query], searchQueryNodes: [] }
  for (const [given, searchOperator] of [[node, 'OR'] as const, [[query], 'AND'] as const])
    expect(search(`owner=ana&criteria=${JSON.stringify(given)}`)).toEqual({ criteria: { ...node, searchOperator } })
  expect(search('owner=ana&criteria={')).toEqual({ filters: { ...noFilters, owner: 'ana' } })
})

test('any change begins at the first page and keeps the snapshot', () => {
  expect(changed('owner=ana&page=4&size=100&date=2026-01-01', { params: { group: ['staff'] } })).toBe(
    'owner=ana&group=staff&size=100&date=2026-01-01',
  )
  expect(changed('owner=ana&page=4', { page: 5 })).toBe('owner=ana&page=5')
  expect(changed('owner=ana&page=4', { params: { owner: [] } })).toBe('')
})

test('another list has its own order', () => {
  expect(changed('search=a&sort=name&direction=asc&size=100&page=2', { tab: 'folders' })).toBe('search=a&activeTab=1')
})

test('odd words are read back unchanged', () => {
  for (const word of ['a&b=c', '100%', 'naïve +1', '日本 \u202e', '#?;', 'a\nb', '"quoted"']) {
    const there = changed('', { params: { name: [word], ignorePattern: [word, 'x'] } })
    expect(read(there).params).toEqual({ name: [word], ignorePattern: [word, 'x'] })
  }
})

test('conditions are too long by what an address makes of their letters', () => {
  const named = (name: string) => JSON.stringify([{ name: { value: name } }])
  expect(isTooLong(named('a'.repeat(7_000)))).toBe(false)
  expect(isTooLong(named('a'.repeat(7_500)))).toBe(true)
  expect(isTooLong(named('日'.repeat(800)))).toBe(false)
  expect(isTooLong(named('日'.repeat(850)))).toBe(true)
})
