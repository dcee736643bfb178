import type { FoldersChanged, ProjectAtDate } from '#events/projects/calls.ts'
import type { SizeLine } from '#client/parts/time-window/SizeTimeline.tsx'
import { type ChartPart, categoryOf } from '#client/ui/charts/chartPart.ts'
import type { Limit } from '#client/ui/charts/dayLineProps.ts'
import type { DayLayer, DayMark } from '#client/ui/charts/dayStackProps.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'

/** Size of a project by date, oldest first, with its allocated size in bytes. */
export const historyLine = (dates: readonly ProjectAtDate[], base: SizeBase, allocated: number): SizeLine => {
  const parts = dates.map((date) => partOf(date, base, []))
  return { summary: summaryOf(parts), columns: ['Date', 'Size'], parts, limit: allocatedLine(parts, base, allocated) }
}

/** A smaller share of the allocated size would be a flat line far below it. */
const minShareOfAllocated = 0.25

function allocatedLine(parts: readonly ChartPart[], base: SizeBase, allocated: number): Limit | undefined {
  const isNear = parts.some(({ value }) => value >= minShareOfAllocated * allocated)
  return isNear ? { value: allocated, line: `Allocated ${sizeWords(allocated, base)}`, box: undefined } : undefined
}

/** Storages with their own layer; the others are combined. */
const maxLayers = 6
const restKey = 'others'

/** Size by storage; its table has a column for each layer. */
export function stackedLine(dates: readonly ProjectAtDate[], base: SizeBase, allocated: number): SizeLine {
  const layers = layersOf(dates)
  const parts = dates.map((date, place) =>
    partOf(
      date,
      base,
      layers.map(({ values }) => sizeWords(values[place] ?? 0, base)),
    ),
  )
  const columns = ['Date', 'Size', ...layers.map(({ label }) => label)]
  return { summary: summaryOf(parts), columns, parts, limit: allocatedLine(parts, base, allocated) }
}

/** Size of each storage by date. Storages are sorted by their newest size, largest first. */
export function layersOf(dates: readonly ProjectAtDate[]): DayLayer[] {
  const newestFirst = dates.toReversed().flatMap(({ projectShares }) => projectShares)
  const names = new Map<number, string>()
  for (const { volumeId, volumeName } of newestFirst) if (!names.has(volumeId)) names.set(volumeId, volumeName)
  const all = [...names].map(([volumeId, label]) => ({
    key: String(volumeId),
    label,
    values: dates.map(
      ({ projectShares }) => projectShares.find((share) => share.volumeId === volumeId)?.sizeOfFiles ?? 0,
    ),
  }))
  const ranked = all.toSorted((a, b) => (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0))
  const few = ranked.length <= maxLayers ? ranked : ranked.slice(0, maxLayers - 1)
  const rest = ranked.slice(few.length)
  const sums = dates.map((_, place) => rest.reduce((sum, { values }) => sum + (values[place] ?? 0), 0))
  return [
    ...few.map((layer, place) => ({ ...layer, role: categoryOf(place) })),
    ...(rest.length > 0 ? [{ key: restKey, label: 'Other', values: sums, role: 'other' as const }] : []),
  ]
}

function partOf({ indexingDate, sizeOfFiles }: ProjectAtDate, base: SizeBase, cells: string[]): ChartPart {
  const text = sizeWords(sizeOfFiles, base)
  return {
    key: indexingDate,
    label: indexingDate,
    value: sizeOfFiles,
    text,
    role: 'usage-ok',
    isPickable: true,
    cells: [text, ...cells],
  }
}

function summaryOf(parts: readonly ChartPart[]): string {
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) return 'Size: no snapshots.'
  if (first === last) return `Size: ${first.text} on ${first.key}.`
  return `Size: ${first.text} on ${first.key}, ${last.text} on ${last.key}.`
}

/** Days of a window on which the folders of a project changed, with the numbers added and removed: `+2 −1`. */
export function marksOf(changes: readonly FoldersChanged[], { from, to }: { from: string; to: string }): DayMark[] {
  const byDay = Map.groupBy(changes, ({ at }) => at.slice(0, 10))
  return [...byDay]
    .filter(([day]) => from <= day && day <= to)
    .map(([day, changes]) => ({ day, label: changesLabel(changes) }))
}

function changesLabel(changes: readonly FoldersChanged[]): string {
  const added = changes.reduce((sum, { added }) => sum + added.length, 0)
  const removed = changes.reduce((sum, { removed }) => sum + removed.length, 0)
  return [added > 0 && `+${added}`, removed > 0 && `−${removed}`].filter(Boolean).join(' ') || 'made'
}
