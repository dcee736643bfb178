import { renderToBuffer } from '@react-pdf/renderer'
import { afterAll, expect, test, vi } from 'vitest'
import { noFilters } from '#events/search/filters.ts'
import { costCharts } from '#client/search/analytics/costChart.ts'
import { dateCards, dateChart } from '#client/search/analytics/dateChart.ts'
import { fieldCards } from '#client/search/analytics/fieldCards.ts'
import { fieldChart, maxItems } from '#client/search/analytics/fieldChart.ts'
import { readPdf } from '#server/platform/testing/readPdf.ts'
import { serveFontFiles } from '#client/testing/fontFiles.ts'
import { withFonts } from '#client/ui/charts/pdf/withFonts.tsx'
import { SearchReport } from './SearchReport.tsx'

serveFontFiles()
afterAll(() => void vi.unstubAllGlobals())

const reading = { measure: 'size', base: '2' } as const
const volumes = Array.from({ length: 60 }, (_, i) => ({
  id: i + 1,
  name: `a rather long name ${i} ${'日本'.repeat(i % 2 === 0 ? 1 : 40)}`,
  type: 'crawl.files',
  storagePrice: { id: 1, description: 'Cold', currencySymbol: '€', price: 0.3, classes: [] },
}))
const answer = volumes.map(({ name }, i) => ({ field: name, size: (60 - i) * 1e9, count: i + 1 }))
const costs = { shape: 'bars', period: 'Monthly' } as const
const points = Array.from({ length: 13 }, (_, i) => ({ date: `${2014 + i}-01-01`, size: i * 1e12, count: i }))

test('the charts of a report take six pages after the first, however many items they show', async () => {
  const unbounded = { after: undefined, before: undefined }
  const charts = [
    ...dateCards.map((card) => dateChart({ ...card, points, within: unbounded, reading })),
    ...fieldCards.map((card, place) => {
      const shape = place % 2 ? ('circle' as const) : ('bars' as const)
      const whole = undefined
      return fieldChart({ card, answer, whole, filters: noFilters, volumes, shown: maxItems, shape, reading })
    }),
    ...costCharts({ ...costs, answer, filters: noFilters, volumes, shown: maxItems, reading }).charts,
  ]
  const facts = [['Search', 'All files']] as const
  const report = <SearchReport day="2026-11-21" query={[...facts]} statistics={[...facts]} charts={charts} />
  const file = await renderToBuffer(await withFonts(charts, report))
  const pages = readPdf(file)
  expect(pages).toHaveLength(7)
  expect(pages[0]).toContain('Snapshot 2026-11-21')
  expect(pages.flat().filter((text) => text.endsWith('日本')).length).toBeGreaterThan(0)
  const shortened = pages.flat().filter((text) => /^a rather long name \d+ (日本)+日?…$/.test(text))
  expect(shortened.length).toBeGreaterThan(0)
})
