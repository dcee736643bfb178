import { expect, test } from 'vitest'
import { SearchFilters } from '#events/search/filters.ts'
import { noResults } from './noResults.ts'

const volumes = [
  { id: 1, type: 'crawl.files' },
  { id: 2, type: 'AWS-S3' },
  { id: 3, type: 'Archiware' },
]

test.each([
  [{}, 'No files found', 'No folders found'],
  [{ volumeId: [1] }, 'No On-Premises files found.', 'No On-Premises folders found.'],
  [{ volumeId: [2] }, 'No cloud files found.', 'No cloud folders found.'],
  [{ volumeId: [3] }, 'No archive files found.', 'No archive folders found.'],
  [{ volumeId: [1, 2] }, 'No files found', 'No folders found'],
  [{ volumeId: [9] }, 'No files found', 'No folders found'],
  [{ volumeId: [1], showOnlyDeletedFiles: true }, 'No deleted files found.', 'No deleted folders found.'],
])('where %j finds nothing it says so', (filters, files, folders) => {
  expect(noResults('files', SearchFilters.parse(filters), volumes)).toBe(files)
  expect(noResults('folders', SearchFilters.parse(filters), volumes)).toBe(folders)
})
