import { expect, test } from 'vitest'
import { noFilters } from '#events/search/filters.ts'
import { costCharts } from './costChart.ts'

const gib = 2 ** 30
const price = (currencySymbol: string, price: number) => ({
  id: 1,
  description: 'Cold',
  currencySymbol,
  price,
  classes: [],
})
const volumes = [
  { id: 1, name: 'Films', type: 'crawl.files', storagePrice: price('$', 12) },
  { id: 2, name: 'Shows', type: 'crawl.files', storagePrice: price('$', 1.2) },
  { id: 3, name: 'S3-BUCKET-tapes', type: 'AWS-S3', storagePrice: price('€', 0.6) },
  { id: 4, name: 'Attic', type: 'crawl.files', storagePrice: null },
]
const answer = [
  { field: 'Attic', size: 50 * gib, count: 9 },
  { field: 'S3-BUCKET-tapes', size: 10 * gib, count: 1 },
  { field: 'Shows', size: 20 * gib, count: 2 },
  { field: 'Films', size: 5 * gib, count: 3 },
]
const options = { answer, filters: noFilters, volumes, shown: 5, shape: 'bars', period: 'Monthly' } as const
const reading = { measure: 'size', base: '2' } as const

test('each currency has a chart of its own, with the dearest storage first; others have no price book', () => {
  const { charts, unpriced } = costCharts({ ...options, reading })
  expect(charts.map(({ title, note }) => [title, note])).toEqual([
    ['Storage cost in €', '€0.50 per month'],
    ['Storage cost in $', '$7.00 per month'],
  ])
  expect(charts[1]?.parts.map(({ label, cells }) => [label, ...cells])).toEqual([
    ['Films', '$5.00', '5.00 GiB', '71.4 %'],
    ['Shows', '$2.00', '20.0 GiB', '28.5 %'],
  ])
  expect(charts[1]?.summary).toBe('Storage cost in $: $7.00 per month. The largest is Films with $5.00, 71.4 %.')
  expect(charts[0]?.parts[0]?.label).toBe('tapes')
  expect(unpriced).toEqual(['Attic'])
})

test('costs are per month, three months or a year', () => {
  const dollars = answer.slice(2)
  const noteOf = (period: 'Monthly' | 'Quarterly' | 'Yearly') =>
    costCharts({ ...options, answer: dollars, period, reading }).charts.map(({ title, note }) => `${title}: ${note}`)
  expect((['Monthly', 'Quarterly', 'Yearly'] as const).map(noteOf)).toEqual([
    ['Storage cost: $7.00 per month'],
    ['Storage cost: $21.00 per quarter'],
    ['Storage cost: $84.00 per year'],
  ])
})

test('items beyond the shown ones are one entry, and a choice selects their storage', () => {
  const [chart] = costCharts({ ...options, answer: answer.slice(2), shown: 1, reading }).charts
  expect(chart?.parts.map(({ label, text, isPickable }) => [label, text, isPickable])).toEqual([
    ['Films', '$5.00', true],
    ['Other', '$2.00', false],
  ])
  expect(chart?.changes.get('Films')).toEqual({ volumeId: ['1'] })
})

test('without price books there is nothing to draw', () => {
  expect(costCharts({ ...options, volumes: [], reading })).toEqual({
    charts: [],
    unpriced: ['Attic', 'tapes', 'Shows', 'Films'],
    estimated: [],
  })
})

test('if storage classes have different prices the cost is marked as an estimate', () => {
  const classes = [
    { storageClass: 'GLACIER', price: 0.3, sizeOfFiles: 90 * gib },
    { storageClass: 'STANDARD', price: 3.3, sizeOfFiles: 10 * gib },
  ]
  const tapes = { id: 3, name: 'S3-BUCKET-tapes', type: 'AWS-S3', storagePrice: { ...price('$', 0.6), classes } }
  const { charts, estimated } = costCharts({ ...options, volumes: [volumes[0]!, tapes], shown: 1, reading })
  expect(charts.map(({ note }) => note)).toEqual(['about $5.50 per month'])
  expect(charts[0]?.parts.map(({ label, text }) => [label, text])).toEqual([
    ['Films', '$5.00'],
    ['Other', 'about $0.50'],
  ])
  expect(estimated).toEqual(['tapes'])
})

test('costs are for the bytes that the size basis counts, next to the apparent size', () => {
  const sparse = [{ field: 'Films', size: 500 * gib, billedSize: 5 * gib, count: 3 }]
  const { charts } = costCharts({ ...options, answer: sparse, reading })
  expect(charts[0]?.parts[0]?.cells).toEqual(['$5.00', '500 GiB', '100.0 %'])
})
