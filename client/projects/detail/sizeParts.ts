import type { Forecast, Project } from '#events/projects/calls.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { type ChartPart, categoryOf, withShares } from '#client/ui/charts/chartPart.ts'
import { counted, percentText } from '#client/ui/text/count.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'
import { spaceLeftKey } from './rings.ts'

type Sizes = Pick<Project, 'allocatedSize' | 'sizeOfFiles' | 'projectShares'>

/** Size by storage, largest first, and the rest of the allocated size. */
export function sizeParts({ allocatedSize, sizeOfFiles, projectShares }: Sizes, base: SizeBase): ChartPart[] {
  const part = (value: number) => ({ value, text: sizeWords(value, base), cells: [sizeWords(value, base)] })
  const left = allocatedSize - sizeOfFiles
  return withShares([
    ...projectShares
      .toSorted((a, b) => b.sizeOfFiles - a.sizeOfFiles || a.volumeId - b.volumeId)
      .map((share, place) => ({
        key: String(share.volumeId),
        label: volumeName({ name: share.volumeName, type: share.type }),
        role: categoryOf(place),
        isPickable: !share.isDeleted,
        ...part(share.sizeOfFiles),
      })),
    ...(left > 0
      ? [{ key: spaceLeftKey, label: 'Space Left', role: 'border' as const, isPickable: false, ...part(left) }]
      : []),
  ])
}

/** Summary of the chart. */
export const sizeSummary = ({ sizeOfFiles, allocatedSize }: Sizes, base: SizeBase): string =>
  `Size: ${sizeWords(sizeOfFiles, base)} of ${sizeWords(allocatedSize, base)}, ${percentText(sizeOfFiles / allocatedSize)}.`

/** Longer forecasts are not shown in days. */
const maxForecastDays = 3_650

/** Sentence about when a project reaches its allocated size; undefined with too few dates. */
export function forecastText(forecast: Forecast, base: SizeBase): string | undefined {
  const { days, earliest, latest, bytesPerDay } = forecast
  if (bytesPerDay === null || days === 0) return undefined
  const pace = `the pace of the last 90 days, ${sizeWords(bytesPerDay, base)} per day`
  if (days === null || days > maxForecastDays) {
    const growth = bytesPerDay > 0 ? `At ${pace}, it` : "The project isn't growing and"
    return `${growth} won't reach its allocated size within 10 years.`
  }
  const range = earliest === null ? '' : ` (${rangeText(earliest, latest)})`
  return `At ${pace}, it reaches its allocated size in ${counted(Math.ceil(days), 'day')}${range}.`
}

function rangeText(earliest: number, latest: number | null): string {
  const from = Math.floor(earliest)
  return latest === null || latest > maxForecastDays
    ? `in ${counted(from, 'day')} at the earliest`
    : `${from} to ${counted(Math.ceil(latest), 'day')}`
}
