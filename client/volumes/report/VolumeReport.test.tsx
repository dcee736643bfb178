import { renderToBuffer } from '@react-pdf/renderer'
import { afterAll, expect, test, vi } from 'vitest'
import { storageDetails } from '#client/testing/examples.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { insightOf, questionsOf } from '#client/parts/volume-analytics/insights.ts'
import { agesOn, sizeRanges } from '#client/parts/statistics/statistics.ts'
import { readWindow } from '#client/parts/time-window/timeWindow.ts'
import { readPdf } from '#server/platform/testing/readPdf.ts'
import { serveFontFiles } from '#client/testing/fontFiles.ts'
import { withFonts } from '#client/ui/charts/pdf/withFonts.tsx'
import { VolumeReport } from './VolumeReport.tsx'

serveFontFiles()
afterAll(() => void vi.unstubAllGlobals())

const shares = (keys: string[]) =>
  Object.fromEntries(keys.map((key, i) => [key, { numberOfFiles: i + 1, sizeOfFiles: (i + 1) * 1e9 }]))
const ages = shares(agesOn('2026-11-21').map(({ key }) => key))

const full = storageDetails(1, {
  name: 'a rather long name of a storage 日本',
  type: 'crawl.files',
  path: '/mnt/projects/documentary/2026',
  fullPath: '/mnt/projects/documentary/2026',
  fileSystem: 'north:1',
  sharedWith: ['Another'],
  total: 10e12,
  used: 8.5e12,
  free: 1.5e12,
  sizeOfFiles: 8e12,
  numberOfFiles: 1_234_567,
  numberOfFolders: 4_321,
  indexingDate: '2026-11-21',
  crawlDuration: 93_000,
  isPartial: true,
  storagePrice: { id: 1, description: 'Gold', currencySymbol: '$', price: 0.3, classes: [] },
  statistics: {
    SIZE: shares(sizeRanges('2').map(({ key }) => key)),
    MODIFIED_DATE: ages,
    ACCESS_DATE: ages,
    CREATION_DATE: ages,
    BACKUP_DATE: {},
    EXTENSION: shares(['mov', 'wav', 'jpg', '', 'a', 'b', 'c', 'd']),
    STORAGE_CLASS: {},
  },
})

async function pagesOf(volume: DetailedVolume, days: number) {
  const points = Array.from({ length: days }, (_, i) => ({
    ...volume,
    indexingDate: new Date(Date.UTC(2026, 10, 21 - days + 1 + i)).toISOString().slice(0, 10),
    used: volume.used && volume.used - (days - i) * 1e10,
  }))
  const found = { volumeId: 1, there: 0, changed: 0, gone: 12_031, goneBytes: 4.5e12 }
  const report = (
    <VolumeReport
      volume={volume}
      points={points}
      insights={questionsOf(volume).map((question) => insightOf(question, { count: 12_345, size: 2e12 }, volume, '2'))}
      frame={readWindow(new URLSearchParams('window=90'), '2026-11-21')}
      actions={[{ jobId: 7, type: 'ARCHIVE_ARCHIWARE_FILES', endedAt: '2026-11-20T10:00:00.000Z', found }]}
      interval="Monthly"
      reading={{ measure: 'size', base: '2' }}
    />
  )
  return readPdf(await renderToBuffer(await withFonts(volume, report)))
}

test('a document has what is known of a storage on one page, and its distributions after it', async () => {
  expect(await pagesOf(full, 90)).toHaveLength(5)
})

test('of a storage without a capacity, a price or files there is a document too', async () => {
  const { statistics, ...rest } = full
  const none = Object.fromEntries(Object.keys(statistics).map((key) => [key, {}])) as typeof statistics
  const empty = { ...rest, total: null, used: null, free: null, storagePrice: null, server: null, statistics: none }
  expect(await pagesOf({ ...empty, type: 'AWS-S3' }, 0)).toHaveLength(2)
})

test('names and paths keep the letters of all languages, also in the axis and the foot', async () => {
  const name = 'Архив 映像素材 한국'
  const path = '/Фильмы/日本語/โครงการ/परियोजना'
  const [page = []] = await pagesOf({ ...full, name, path, fullPath: path }, 30)
  expect(page[0]).toBe(name)
  expect(page[1]).toContain(path)
  expect(page).toContain(`${name} · snapshot 2026-11-21`)
})

test('a name from right to left is drawn so, and leaves the date after it alone', async () => {
  const [page = []] = await pagesOf({ ...full, name: 'פרויקט 7' }, 30)
  expect(page[0]).toBe('7 טקיורפ')
  expect(page).toContain('7 טקיורפ · snapshot 2026-11-21')
})
