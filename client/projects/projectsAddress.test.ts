import { expect, test } from 'vitest'
import { readProjectsAddress, writeProjectsAddress } from './projectsAddress.ts'

const changed = (from: string, change: Parameters<typeof writeProjectsAddress>[1]) => {
  const query = new URLSearchParams(from)
  writeProjectsAddress(query, change)
  return query.toString()
}

test('without words the list is by name, from its first page on', () => {
  const defaults = { filter: '', page: 1, sort: { field: 'name', direction: 'asc' } }
  expect(readProjectsAddress(new URLSearchParams())).toEqual(defaults)
  expect(readProjectsAddress(new URLSearchParams('sort=password&direction=up&page=-3'))).toEqual(defaults)
})

test('another filter or order begins at the first page, and what is as usual is left out', () => {
  expect(changed('date=2026-01-02&page=4', { page: 5 })).toBe('date=2026-01-02&page=5')
  expect(changed('page=4', { filter: 'film' })).toBe('filter=film')
  expect(changed('page=4&filter=film', { sort: { field: 'sizeOfFiles', direction: 'desc' } })).toBe(
    'filter=film&sort=sizeOfFiles&direction=desc',
  )
  expect(changed('sort=sizeOfFiles&direction=desc', { sort: { field: 'name', direction: 'asc' } })).toBe('')
})
