import type { Totals } from '#events/search/calls.ts'
import { type DetailedVolume, type Shares, otherExtensions } from '#events/storages.ts'
import { type ChartPart, withShares } from '#client/ui/charts/chartPart.ts'
import { type Reading, added, valueOf, valueText } from '#client/ui/charts/measure.ts'
import { counted } from '#client/ui/text/count.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import type { Distribution } from '#client/parts/distribution/distribution.ts'
import type { Bucket, SearchParams, Statistic } from './statistics.ts'

/** A distribution for the screen and the PDF. */
export type StatisticChart = Distribution & {
  /** Search of each part, by key. */
  searches: Map<string, SearchParams>
}

/** Maximum number of unordered items with their own bar. */
const maxItems = 6
const restKey = 'rest of them'

/** Distribution of a storage's files; undefined if it has none. */
export function statisticChart(
  statistic: Statistic,
  volume: Pick<DetailedVolume, 'id' | 'indexingDate' | 'statistics'>,
  reading: Reading,
): StatisticChart | undefined {
  const shares = volume.statistics[statistic.key]
  const found = statistic.buckets
    ? ordered(statistic.buckets(volume.indexingDate, reading.base), shares)
    : largest(statistic, shares, reading)
  const all = added(found.map(({ totals }) => totals))
  if (all.count === 0) return undefined
  const searches = new Map(
    found.flatMap(({ bucket: { key, search }, totals }) =>
      search && totals.count > 0 ? [[key, { volumeId: [String(volume.id)], ...search }]] : [],
    ),
  )
  const drawnParts = found.map(({ bucket: { key, label, short }, totals }): ChartPart => ({
    key,
    label,
    ...(short !== undefined && { short }),
    value: valueOf(totals, reading.measure),
    text: valueText(totals, reading),
    role: searches.has(key) ? 'category-1' : 'other',
    isPickable: searches.has(key),
    cells: [sizeWords(totals.size, reading.base), counted(totals.count, 'file')],
  }))
  const parts = withShares(drawnParts)
  return {
    title: statistic.title,
    shape: statistic.buckets ? 'columns' : 'bars',
    summary: summaryOf(statistic.title, parts, all, reading),
    columns: [statistic.buckets ? 'Range' : 'Name', 'Size', 'Files', 'Share'],
    parts,
    total: valueText(all, reading),
    reading,
    searches,
  }
}

type BucketTotals = { bucket: Bucket; totals: Totals }

const totalsOf = (share: Shares[string] | undefined): Totals => ({
  size: share?.sizeOfFiles ?? 0,
  count: share?.numberOfFiles ?? 0,
})

/** All buckets in order. The bucket for unknown values is omitted if empty. */
function ordered(buckets: Bucket[], shares: Shares): BucketTotals[] {
  return buckets
    .map((bucket) => ({ bucket, totals: totalsOf(shares[bucket.key]) }))
    .filter(({ bucket, totals }) => bucket.search !== undefined || totals.count > 0)
}

function largest({ item }: Statistic, shares: Shares, { measure }: Reading): BucketTotals[] {
  const ranked = Object.entries(shares)
    .filter(([key]) => key !== otherExtensions)
    .map(([key, share]) => ({
      bucket: { key, ...(item?.(key) ?? { label: key, search: undefined }) },
      totals: totalsOf(share),
    }))
    .toSorted((a, b) => valueOf(b.totals, measure) - valueOf(a.totals, measure) || b.totals.count - a.totals.count)
  const rest = added([
    ...ranked.slice(maxItems).map(({ totals }) => totals),
    ...(shares[otherExtensions] ? [totalsOf(shares[otherExtensions])] : []),
  ])
  const others: BucketTotals[] =
    rest.count > 0 ? [{ bucket: { key: restKey, label: 'Other', search: undefined }, totals: rest }] : []
  return [...ranked.slice(0, maxItems), ...others]
}

function summaryOf(title: string, parts: ChartPart[], all: Totals, { base }: Reading): string {
  const top = parts.reduce((top, part) => (part.value > top.value ? part : top))
  const whole = `${counted(all.count, 'file')}, ${sizeWords(all.size, base)}`
  return `${title}: ${whole}. Most in ${top.label}: ${top.text}.`
}
