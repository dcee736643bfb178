import { expect, test } from 'vitest'
import { readComparisonAddress, readPlace, toggled, withChange } from './comparisonAddress.ts'

const read = (query: string) => readComparisonAddress(new URLSearchParams(query))
const place = (query: string) => readPlace(new URLSearchParams(query))
const changed = (query: string, change: Parameters<typeof withChange>[1]) => {
  const search = new URLSearchParams(query)
  withChange(search, change)
  return search.toString()
}

test('an address names a folder of a storage, or everything', () => {
  expect(place('')).toEqual({ volumeId: undefined, path: '/' })
  expect(place('volumeId=3')).toEqual({ volumeId: 3, path: '/' })
  expect(place('volumeId=3&path=/films/')).toEqual({ volumeId: 3, path: '/films' })
  for (const none of ['volumeId=x', 'volumeId=-1', 'volumeId=1.5', 'path=/films', 'volumeId=3&path=films'])
    expect([none, place(none)]).toEqual([none, undefined])
})

test('missing and unreadable parts of an address get their defaults', () => {
  const defaults = {
    kinds: [],
    owner: '',
    extension: '',
    by: 'folder',
    growth: 'desc',
    parts: 10,
    list: 'files',
    sort: { field: 'change', direction: 'desc' },
    page: 1,
    size: 50,
  }
  expect(read('')).toEqual(defaults)
  expect(read('kind=burnt&by=moon&parts=2&tab=x&sort=owner&direction=asc&page=-1&size=7')).toEqual(defaults)
})

test('kinds are read in any case, once each and in their order', () => {
  expect(read('kind=removed,CREATED&kind=Removed').kinds).toEqual(['CREATED', 'REMOVED'])
})

test('an address says only what is not as usual, and keeps the rest of it', () => {
  const query = 'volumeId=3&previousDate=2026-01-01'
  const change = { kinds: ['MOVED' as const], list: 'folders' as const, by: 'owner' as const }
  const written = changed(query, change)
  expect(written).toBe('volumeId=3&previousDate=2026-01-01&kind=MOVED&by=owner&tab=folders')
  expect(read(written)).toMatchObject(change)
  expect(changed(written, { kinds: [], list: 'files', by: 'folder' })).toBe(query)
  expect(changed('', { sort: { field: 'delta', direction: 'asc' } })).toBe('sort=delta&direction=asc')
})

test('another list begins at its first page, and other parts at the first of them', () => {
  expect(changed('page=4&parts=60', { kinds: ['MOVED'] })).toBe('parts=60&kind=MOVED')
  expect(changed('page=4&parts=60', { by: 'owner' })).toBe('page=4&by=owner')
  expect(changed('page=4&parts=60', { page: 5 })).toBe('page=5&parts=60')
})

test('a kind is chosen and let go', () => {
  expect(toggled([], 'MOVED')).toEqual(['MOVED'])
  expect(toggled(['MOVED'], 'CREATED')).toEqual(['CREATED', 'MOVED'])
  expect(toggled(['CREATED', 'MOVED'], 'MOVED')).toEqual(['CREATED'])
})
