import { expect, test } from 'vitest'
import { scanRecordOf } from '#events/testing.ts'
import { volumeKind, volumeName } from '#client/parts/storages/volumeWords.ts'
import { dailyScanTime, latestScans } from './scans/scanState.ts'
import { trendPoints } from '#client/parts/storages/TrendLine.tsx'

test('the daily scan time is from the newest day with a completed scan', () => {
  const scan = (indexingDate: string, crawlDuration: number | null) => ({
    ...scanRecordOf(1, 'done'),
    indexingDate,
    crawlDuration,
  })
  const days = [scan('2026-03-03', null), scan('2026-03-02', 60_000), scan('2026-03-02', 5_000), scan('2026-03-01', 1)]
  expect(dailyScanTime(days)).toBe('1 min 05 s total on 2026-03-02')
  expect(dailyScanTime([scan('2026-03-03', -1)])).toBeUndefined()
})

test('the last scan of each storage is listed once, and running scans in any case', () => {
  const scan = (scanId: number, volumeId: number, state: 'running' | 'done' | 'failed') => ({
    ...scanRecordOf(scanId, state),
    volumeId,
  })
  const scans = [
    scan(9, 1, 'running'),
    scan(8, 2, 'failed'),
    scan(7, 1, 'done'),
    scan(6, 2, 'done'),
    scan(5, 3, 'done'),
  ]
  expect(latestScans(scans).map(({ scanId }) => scanId)).toEqual([9, 8, 5])
})

test('the name of a bucket is shown without its prefix, other names unchanged', () => {
  expect(volumeName({ type: 'AWS-S3', name: 'S3-BUCKET-films' })).toBe('films')
  expect(volumeName({ type: 'crawl.files', name: 'S3-BUCKET-films' })).toBe('S3-BUCKET-films')
})

test('a volume is of the same kind wherever it is shown, and a file storage of a more exact one', () => {
  const kinds = ['DellPowerScale', 'NetworkVolume', 'Archiware', 'AWS-S3'].map((type) => volumeKind({ type }))
  expect(kinds).toEqual(['Dell PowerScale', 'Network volume', 'Archive storage', 'Object storage'])
})

test('a line keeps the distances of days, and an even one runs in the middle', () => {
  const at = (...values: [string, number][]) =>
    trendPoints(
      values.map(([day, value]) => ({ day, value })),
      100,
      24,
    )
  expect(at(['2026-01-01', 5], ['2026-01-02', 10], ['2026-01-11', 0])).toBe('0.0,12.0 10.0,2.0 100.0,22.0')
  expect(at(['2026-01-01', 7], ['2026-01-11', 7])).toBe('0.0,12.0 100.0,12.0')
})
