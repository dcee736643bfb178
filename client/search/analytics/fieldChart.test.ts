import { expect, test } from 'vitest'
import { noFilters, SearchFilters } from '#events/search/filters.ts'
import { fieldCards } from './fieldCards.ts'
import { fieldChart, largestItems } from './fieldChart.ts'

const item = (field: string, size: number, count: number) => ({ field, size, count })
const answer = [item('mov', 500, 1), item('txt', 300, 30), item('', 200, 9), item('wav', 100, 2), item('iso', 50, 8)]
const cardOf = (key: string) => fieldCards.find((card) => card.key === key)!
const volumes = [
  { id: 1, name: 'Films', type: 'crawl.files' },
  { id: 2, name: 'Films', type: 'AWS-S3' },
  { id: 3, name: 'S3-BUCKET-tapes', type: 'AWS-S3' },
]

test('the largest items are shown, and all others are one, also those that were not read', () => {
  const { largest, rest } = largestItems(answer, 2, 'size', { size: 2_000, count: 100 })
  expect(largest.map(({ field }) => field)).toEqual(['mov', 'txt'])
  expect(rest).toEqual({ size: 1_200, count: 69 })
  expect(largestItems(answer, 2, 'count', undefined).largest.map(({ field }) => field)).toEqual(['txt', ''])
  expect(largestItems(answer, 2, 'size', undefined).rest).toEqual({ size: 350, count: 19 })
  expect(largestItems(answer, 5, 'size', undefined).rest).toBeUndefined()
  expect(largestItems(answer, 5, 'size', { size: 1, count: 1 }).rest).toBeUndefined()
})

test('items of one name are one', () => {
  expect(largestItems([item('Films', 1, 1), item('Films', 5, 2)], 5, 'size', undefined).largest).toEqual([
    item('Films', 6, 3),
  ])
})

test('a chart labels items without a name, and only valid values can be chosen', () => {
  const options = { answer, whole: undefined, filters: noFilters, volumes, shown: 3, shape: 'circle' } as const
  const reading = { measure: 'size', base: '2' } as const
  const extensions = fieldChart({ ...options, card: cardOf('extension'), reading })
  expect(extensions.parts.map(({ label, role, isPickable }) => [label, role, isPickable])).toEqual([
    ['mov', 'category-1', true],
    ['txt', 'category-2', true],
    ['No extension', 'other', true],
    ['Other', 'other', false],
  ])
  expect(extensions.parts.at(-1)?.cells).toEqual(['150 B', '10', '13.0 %'])
  const owners = fieldChart({ ...options, card: cardOf('owners'), reading })
  expect(owners.parts.find(({ label }) => label === 'No owner')?.isPickable).toBe(false)
})

test('a choice is requested by its filter', () => {
  const change = (key: string, word: string, filters = {}) =>
    cardOf(key).change(word, SearchFilters.parse(filters), volumes)
  expect(change('extension', 'mov')).toEqual({ extension: ['mov'] })
  expect(change('extension', '', { ignorePattern: ['*.tmp'] })).toEqual({ ignorePattern: ['*.tmp', '*.*'] })
  expect(change('extension', 'a,b')).toEqual({ name: '*.a,b' })
  expect(change('owners', 'ana')).toEqual({ owner: 'ana' })
  expect(change('groups', '')).toBeUndefined()
  expect(change('duplicates', 'false')).toEqual({ onlyDuplicates: 'false' })
  expect(change('storages', 'Films')).toEqual({ volumeId: ['1', '2'] })
  expect(change('storages', 'Films', { volumeId: [2] })).toEqual({ volumeId: ['2'] })
  expect(change('storageTypes', 'Object storage')).toEqual({ volumeId: ['2', '3'] })
  expect(cardOf('storages').label('S3-BUCKET-tapes')).toBe('tapes')
})
