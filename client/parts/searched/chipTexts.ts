import { archiveStateTitles, type ArchiveState } from '#events/search/archived.ts'
import { type ChosenType, fileTypeTitles } from '#events/search/fileTypes.ts'
import { searchDayText } from '#events/search/relativeDays.ts'
import { dayNames, sizeNames, unitNameOf, unitNames } from '#events/search/filterRanges.ts'
import { readPlace, sizeUnits, unitLabel } from '#events/search/filters.ts'
import type { Volume } from '#events/snapshots.ts'
import { readReportTag } from '#events/tags.ts'
import { type FilterName, type FilterParams, filterLabels, filterNames, paramOf, sizeBaseOf } from './filterNames.ts'

/** Text of a filter chip; `isInvalid` if its storage no longer exists. */
type ChipText = { name: FilterName; text: string; isInvalid: boolean }
type NamedVolumes = readonly Pick<Volume, 'id' | 'name'>[]

const unitOfFilter = (name: FilterName): FilterName | undefined => {
  const sizeName = sizeNames.find((one) => one === name)
  return sizeName && unitNameOf(sizeName)
}

/** One chip per filter, except for the search text, which has its own input. */
export function chipTexts(params: FilterParams, volumes: NamedVolumes | undefined): ChipText[] {
  const names = filterNames.filter((name) => params[name] && name !== 'search' && !unitNames.includes(name))
  return names.map((name) => {
    const values = (params[name] ?? []).map((word) => valueText(name, word, params, volumes))
    const isInvalid = volumes !== undefined && values.includes(undefined)
    const text = values.map((value) => value ?? (volumes ? 'Invalid' : '…')).join(', ')
    return { name, text: `${filterLabels[name]}: ${text}`, isInvalid }
  })
}

/** Undefined if the storage is unknown. */
function valueText(
  name: FilterName,
  word: string,
  params: FilterParams,
  volumes: NamedVolumes | undefined,
): string | undefined {
  const nameOf = (id: number) => volumes?.find((volume) => volume.id === id)?.name
  if (name === 'volumeId') return nameOf(Number(word))
  if (name === 'storageAndPath') {
    const { volumeId, path } = readPlace(word)
    const storage = nameOf(volumeId)
    return storage && `${storage}:${path}`
  }
  if (name === 'fileType') return fileTypeTitles[word as ChosenType]
  if (dayNames.some((day) => day === name)) return searchDayText(word)
  if (name === 'archived') return archiveStateTitles[word as ArchiveState]
  if (name === 'reports') return reportText(word)
  const unit = unitOfFilter(name)
  if (unit) return `${word} ${unitText(params, unit)}`
  return word === 'true' ? 'Yes' : word === 'false' ? 'No' : word
}

function unitText(params: FilterParams, name: FilterName): string {
  const unit = sizeUnits.find((one) => one === paramOf(params, name).toUpperCase()) ?? 'B'
  return unitLabel(unit, sizeBaseOf(params, '2'))
}

/** Name of a report, or one of its runs: `Empty folders, 2026-11-25`. */
export function reportText(word: string): string {
  const run = readReportTag(word)
  return run ? `${run.name}, ${run.day}` : word
}

/** Parameters to clear with a chip: its filter, and the unit of a size. */
export const clearedFilter = (name: FilterName): FilterParams => {
  const unit = unitOfFilter(name)
  return { [name]: [], ...(unit && { [unit]: [] }) }
}
