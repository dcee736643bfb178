import { usableBytes, usedShare } from '#events/capacity.ts'
import type { DetailedVolume } from '#events/storages.ts'
import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import type { Limit } from '#client/ui/charts/dayLineProps.ts'
import type { SizeLine } from '#client/parts/time-window/SizeTimeline.tsx'
import { counted, percentText } from '#client/ui/text/count.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'

type Point = Pick<
  DetailedVolume,
  'indexingDate' | 'scannedOn' | 'used' | 'free' | 'total' | 'sizeOfFiles' | 'numberOfFiles'
>

/** Usage thresholds above which the box and the limit line are drawn. */
const boxFrom = 0.7
const lineFrom = 0.8

/**
 * Used capacity of a storage by day, oldest first. For storages without a capacity, the size of their files. Days whose
 * snapshot only repeats an older scan have no point.
 */
export function timelineChart(snapshots: readonly Point[], base: SizeBase): SizeLine {
  const points = snapshots.filter(({ indexingDate, scannedOn }) => indexingDate === scannedOn)
  const hasCapacity = points.some(({ total, used }) => total !== null && used !== null)
  const parts = points.map((point): ChartPart => {
    const value = usedOf(point)
    const text = sizeWords(value, base)
    const files = counted(point.numberOfFiles, 'file')
    return {
      key: point.indexingDate,
      label: point.indexingDate,
      value,
      text,
      role: 'usage-ok',
      isPickable: true,
      cells: hasCapacity ? [text, shareWords(point, base), files] : [text, files],
    }
  })
  const what = hasCapacity ? 'Used' : 'Size of files'
  return {
    summary: summaryOf(what, parts),
    columns: hasCapacity ? ['Date', 'Used', 'Of the usable capacity', 'Files'] : ['Date', 'Size of files', 'Files'],
    parts,
    limit: limitOf(points, base),
  }
}

const usedOf = ({ used, sizeOfFiles }: Point) => used ?? sizeOfFiles

function shareWords(point: Point, base: SizeBase): string {
  const share = usedShare(point)
  return share === undefined ? '-' : `${percentText(share)} of ${sizeWords(usableBytes(point) ?? 0, base)}`
}

/** Uses the newest capacity, and the highest usage over the period. */
function limitOf(points: readonly Point[], base: SizeBase): Limit | undefined {
  const newest = points.findLast((point) => usableBytes(point))
  const usable = newest && usableBytes(newest)
  if (!usable) return undefined
  const share = Math.max(...points.map(usedOf)) / usable
  if (share < boxFrom) return undefined
  return {
    value: usable,
    box: 'Over capacity',
    line: share >= lineFrom ? `Max ${sizeWords(usable, base)}` : undefined,
  }
}

function summaryOf(what: string, parts: ChartPart[]): string {
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) return `${what}: no snapshots.`
  if (first === last) return `${what}: ${first.text} on ${first.key}.`
  return `${what}: ${first.text} on ${first.key}, ${last.text} on ${last.key}.`
}
