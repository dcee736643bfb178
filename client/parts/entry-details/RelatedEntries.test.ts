import { expect, test } from 'vitest'
import { Criteria } from '#events/search/criteria.ts'
import type { Entry } from '#events/entries.ts'
import { relatedQueries } from './RelatedEntries.tsx'

const film = { fileId: 'a1', name: 'a.mov', size: 10_000, isDirectory: false } as Entry
const volumes = [
  { id: 1, type: 'crawl.files' },
  { id: 2, type: 'AWS-S3' },
  { id: 3, type: 'Archiware' },
]

test('a related file has the same name, about the same size, and is in a storage of that kind', () => {
  expect(relatedQueries(film, 'archive', volumes)).toEqual([
    { name: { value: 'a.mov' } },
    { isDirectory: { value: false } },
    { size: { min: 8_976, max: 11_024 } },
    { fileId: { value: 'a1' }, excludeFilter: true },
    { volumeId: { values: [3] } },
  ])
})

test('a related folder may differ by 1,024 bytes for each of its files, and never below nothing', () => {
  const folder = { ...film, isDirectory: true, size: 5_000, numberOfFiles: 10 }
  expect(relatedQueries(folder, 'cloud', volumes)?.[2]).toEqual({ size: { min: 0, max: 15_240 } })
})

test('nothing is requested without a storage of that kind', () => {
  expect(relatedQueries(film, 'cloud', volumes.slice(0, 1))).toBeUndefined()
})

test('deleted files are searched everywhere, those of unknown size by name alone', () => {
  expect(relatedQueries({ ...film, size: -1 }, 'deleted', [])).toEqual([
    { name: { value: 'a.mov' } },
    { isDirectory: { value: false } },
    { isDeleted: { value: true } },
  ])
})

test('the server understands each of them', () => {
  for (const place of ['On-Premises', 'cloud', 'archive', 'deleted'] as const)
    expect(Criteria.safeParse(relatedQueries(film, place, volumes)).success).toBe(true)
})
