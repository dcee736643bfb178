import { expect, test } from 'vitest'
import { bothSizes, projectSizes, volumeSizes } from './bothSizes.ts'

const shown = (onDisk: number, apparent: number, files = 1) => bothSizes({ onDisk, apparent, files }, '10')

test('sparse, compressed and preallocated files show both sizes', () => {
  expect(shown(1.2e12, 1.5e12)).toBe('1.20 TB on disk · 1.50 TB apparent')
  expect(shown(0, 4e15)).toBe('0 B on disk · 4.00 PB apparent')
  expect(shown(262_144, 0)).toBe('262 kB on disk · 0 B apparent')
})

test('the rest of the last block of each file makes no difference', () => {
  expect(shown(4_096, 10)).toBe('10 B')
  expect(shown(4_096_000, 10_000, 1_000)).toBe('10.0 kB')
  expect(shown(1.505e12, 1.5e12)).toBe('1.50 TB')
  expect(shown(4_096_000, 10_000, 10)).toBe('4.10 MB on disk · 10.0 kB apparent')
})

test('sizes that are left out are equal', () => {
  expect(bothSizes(volumeSizes({ sizeOfFiles: 5e9, numberOfFiles: 2 }), '10')).toBe('5.00 GB')
  expect(bothSizes(volumeSizes({ sizeOfFiles: 5e9, sizeOnDisk: 2e9, numberOfFiles: 2 }), '10')).toBe(
    '2.00 GB on disk · 5.00 GB apparent',
  )
  expect(bothSizes(projectSizes({ sizeOfFiles: 2e9, apparentSize: 5e9, numberOfFiles: 2 }), '10', 'onDisk')).toBe(
    '2.00 GB on disk · 5.00 GB apparent',
  )
  expect(bothSizes(projectSizes({ sizeOfFiles: 4_096, apparentSize: 10, numberOfFiles: 2 }), '10', 'onDisk')).toBe(
    '4.10 kB',
  )
})
