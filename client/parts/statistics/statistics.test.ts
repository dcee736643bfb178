import { expect, test } from 'vitest'
import { noStatistics } from '#client/testing/examples.ts'
import type { Shares } from '#events/storages.ts'
import { agesOn, statistics, sizeRanges } from './statistics.ts'
import { withoutEmptyEnds } from '#client/parts/distribution/distribution.ts'
import { statisticChart } from './statisticChart.ts'

const share = (numberOfFiles: number, sizeOfFiles: number) => ({ numberOfFiles, sizeOfFiles })

function chart(key: keyof typeof noStatistics, shares: Shares, measure: 'size' | 'count' = 'size') {
  const statistic = statistics.find((statistic) => statistic.key === key)
  const volume = { id: 7, indexingDate: '2026-11-21', statistics: { ...noStatistics, [key]: shares } }
  return statistic && statisticChart(statistic, volume, { measure, base: '2' })
}

test('which distributions there are depends on the kind of the storage, and on its provider', () => {
  const titles = (type: string) => statistics.filter(({ isOf }) => isOf(type)).map(({ title }) => title)
  const always = ['File Size Distribution', 'Last Modified']
  expect(titles('crawl.files')).toEqual([...always, 'Last Access', 'Creation', 'Extensions'])
  expect(titles('NetworkVolume')).toEqual([...always, 'Creation', 'Extensions'])
  for (const type of ['AWS-S3', 'S3', 'GOOGLE', 'ORACLE_OBJECT_STORAGE', 'OTHER'])
    expect(titles(type)).toEqual([...always, 'Extensions', 'Storage Classes'])
  expect(titles('AZURE')).toEqual([...always, 'Creation', 'Extensions', 'Storage Classes'])
  for (const type of ['WASABI', 'BACKBLAZE_B2', 'DROPBOX']) expect(titles(type)).toEqual([...always, 'Extensions'])
  expect(titles('Archiware')).toEqual([...always, 'Creation', 'Backup', 'Extensions'])
})

test('ages follow each other without a gap, and each says from which day to which', () => {
  const ages = agesOn('2026-11-21')
  expect(ages.slice(0, 3)).toEqual([
    { key: '1 week', label: 'Up to 1 week', short: '1w', after: '2026-11-14', before: undefined },
    { key: '1 month', label: '1 week to 1 month', short: '1m', after: '2026-10-21', before: '2026-11-14' },
    { key: '3 month', label: '1 month to 3 months', short: '3m', after: '2026-08-21', before: '2026-10-21' },
  ])
  expect(ages.at(-1)).toEqual({
    key: 'older',
    label: 'Over 10 years',
    short: '>10y',
    after: undefined,
    before: '2016-11-21',
  })
  for (const [place, { after }] of ages.slice(0, -1).entries()) expect(ages[place + 1]?.before).toBe(after)
})

test('sizes follow each other without a gap', () => {
  const ranges = sizeRanges('2')
  const [first, second] = ranges
  expect(first).toEqual({ key: '4KB', label: 'Under 4 KiB', short: '4 KiB', min: undefined, max: 4095 })
  expect(second).toMatchObject({ label: '4 KiB to 16 KiB', min: 4096, max: 16383 })
  expect(ranges.at(-1)).toMatchObject({ label: '1 TiB and larger', min: 1024 ** 4, max: undefined })
  for (const [place, { max }] of ranges.slice(0, -1).entries()) expect(ranges[place + 1]?.min).toBe(max! + 1)
  expect(sizeRanges('10')[1]?.label).toBe('4.1 kB to 16.4 kB')
})

test('columns begin and end with one that has files, but there are six at least', () => {
  const keysOf = (shares: Shares) => withoutEmptyEnds(chart('ACCESS_DATE', shares)?.parts ?? []).map(({ key }) => key)
  const [from, to] = [agesOn('2026-11-21')[1]!, agesOn('2026-11-21')[8]!]
  const keys = keysOf({ [from.key]: share(2, 4096), [to.key]: share(1, 100) })
  expect([keys.length, keys[0], keys.at(-1)]).toEqual([8, from.key, to.key])
  expect(keysOf({ '1 week': share(2, 4096) })).toHaveLength(6)
})

test('a bar leads to its search, and an empty one nowhere', () => {
  const ages = chart('ACCESS_DATE', { '1 week': share(2, 4096), older: share(1, 100), unknown: share(3, 5) })
  expect(ages?.searches.get('1 week')).toEqual({ volumeId: ['7'], lastAccessAfter: '2026-11-14' })
  expect(ages?.searches.get('older')).toEqual({ volumeId: ['7'], lastAccessBefore: '2016-11-21' })
  expect(ages?.searches.size).toBe(2)
  expect(ages?.parts).toHaveLength(22)
  expect(ages?.parts[0]).toMatchObject({ label: 'Up to 1 week', cells: ['4.00 KiB', '2 files', '97.5 %'] })
  expect(ages?.summary).toBe('Last Access: 6 files, 4.10 KiB. Most in Up to 1 week: 4.00 KiB.')
  const sizes = chart('SIZE', { '16KB': share(1, 5000) })
  expect(sizes?.searches.get('16KB')).toEqual({ volumeId: ['7'], minimumSize: '4096', maximumSize: '16383' })
})

test('the largest extensions are shown alone, by size or by count, and all others together', () => {
  const extensions = {
    ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key, i) => [key, share(i + 1, 100 - i)])),
    '': share(50, 1),
    'tar.gz': share(60, 200),
    '...': share(9, 3),
  }
  const bySize = chart('EXTENSION', extensions)
  expect(bySize?.parts.map(({ label }) => label)).toEqual(['tar.gz', 'a', 'b', 'c', 'd', 'e', 'Other'])
  expect(bySize?.parts.at(-1)).toMatchObject({ isPickable: false, cells: ['193 B', '72 files', '21.8 %'] })
  expect(bySize?.searches.get('tar.gz')).toEqual({ volumeId: ['7'], extension: 'tar.gz' })
  expect(bySize?.searches.get('a')).toEqual({ volumeId: ['7'], extension: 'a' })
  const byCount = chart('EXTENSION', extensions, 'count')
  expect(byCount?.parts.slice(0, 3).map(({ label }) => label)).toEqual(['tar.gz', 'No extension', 'g'])
  expect(byCount?.searches.get('')).toEqual({ volumeId: ['7'], ignorePattern: '*.*' })
})

test('without files there is nothing to draw', () => {
  expect(chart('BACKUP_DATE', {})).toBeUndefined()
  expect(chart('EXTENSION', { mov: share(0, 0) })).toBeUndefined()
})
