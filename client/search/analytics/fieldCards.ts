import { duplicateRule, reclaimableRule } from '#client/parts/duplicates/duplicateWords.ts'
import type { FieldTotals, groupingFields, MediaGrouping, searchFields } from '#events/search/calls.ts'
import type { Answer } from '#events/contract/endpoint.ts'
import { type ChosenType, fileTypeTitles } from '#events/search/fileTypes.ts'
import { type SearchFilters, withExtension } from '#events/search/filters.ts'
import { literalPattern } from '#events/search/patterns.ts'
import type { Volume } from '#events/snapshots.ts'
import { groupOfType, storageGroups } from '#events/sources/kinds.ts'
import { groupLabel } from '#client/parts/storages/volumeWords.ts'
import type { FilterChange } from './cardChart.ts'

export type NamedVolume = Pick<Volume, 'id' | 'name' | 'type'>

/** A field by which files are counted. */
export type FieldCard = {
  key: string
  title: string
  fieldName: (typeof groupingFields)[number] | MediaGrouping
  /** Default shape: a circle for few parts. */
  defaultShape: 'circle' | 'bars'
  /** Explanation of the terms. */
  rule?: string
  /** Converts the response to the items of the card. */
  items: (answer: Answer<typeof searchFields>, volumes: readonly NamedVolume[]) => FieldTotals[]
  label: (item: string) => string
  /** Filter for an item; undefined if it can't be filtered. */
  change: (item: string, filters: SearchFilters, volumes: readonly NamedVolume[]) => FilterChange | undefined
}

const asAnswered = (answer: FieldTotals[]) => answer
const idsOf = (
  volumes: readonly NamedVolume[],
  matches: (volume: NamedVolume) => boolean,
): FilterChange | undefined => {
  const ids = volumes.filter(matches).map(({ id }) => String(id))
  return ids.length > 0 ? { volumeId: ids } : undefined
}

/** Also used for costs. */
export const storagesCard: FieldCard = {
  key: 'storages',
  title: 'Storages',
  fieldName: 'storageName',
  defaultShape: 'bars',
  items: asAnswered,
  label: (item) => item.replace(/^S3-BUCKET-/, ''),
  change: (item, filters, volumes) => idsOf(searchedVolumes(volumes, filters), ({ name }) => name === item),
}

/** Only storages with scanned folders on premises. */
const volumesCard: FieldCard = {
  ...storagesCard,
  key: 'volumes',
  title: 'Volumes',
  items: (answer, volumes) =>
    answer.filter(({ field }) => volumes.some((volume) => volume.name === field && isFileVolume(volume))),
}
const isFileVolume = ({ type }: NamedVolume) => storageGroups[groupOfType(type)].place === 'On-Premises'

export const fieldCards: FieldCard[] = [
  {
    key: 'extension',
    title: 'Extension',
    fieldName: 'extension',
    defaultShape: 'bars',
    items: asAnswered,
    label: (item) => item || 'No extension',
    change: (item, filters) => extensionChange(item, filters),
  },
  {
    key: 'fileTypes',
    title: 'File Types',
    fieldName: 'fileType',
    defaultShape: 'circle',
    items: asAnswered,
    label: (item) => fileTypeTitles[item as ChosenType] ?? item,
    change: (item) => ({ fileType: [item] }),
  },
  volumesCard,
  storagesCard,
  {
    key: 'owners',
    title: 'Owners',
    fieldName: 'owner',
    defaultShape: 'bars',
    items: asAnswered,
    label: (item) => item || 'No owner',
    change: (item) => (item === '' ? undefined : { owner: item }),
  },
  {
    key: 'groups',
    title: 'Groups',
    fieldName: 'group',
    defaultShape: 'bars',
    items: asAnswered,
    label: (item) => item || 'No group',
    change: (item) => (item === '' ? undefined : { group: item }),
  },
  {
    key: 'duplicates',
    title: 'Duplicates',
    rule: `${duplicateRule} ${reclaimableRule}`,
    fieldName: 'isDupe',
    defaultShape: 'circle',
    items: asAnswered,
    label: (item) => (item === 'true' ? 'Duplicates' : 'Unique files'),
    change: (item) => ({ onlyDuplicates: item }),
  },
  {
    key: 'storageTypes',
    title: 'Storage Types',
    fieldName: 'storageName',
    defaultShape: 'circle',
    items: (answer, volumes) => answer.map((item) => ({ ...item, field: kindOfStorage(item.field, volumes) })),
    label: (item) => item,
    change: (item, filters, volumes) =>
      idsOf(searchedVolumes(volumes, filters), ({ type }) => groupLabel(type) === item),
  },
]

const mediaCard = (fieldName: MediaGrouping, title: string, label = (item: string) => item): FieldCard => ({
  key: fieldName,
  title,
  fieldName,
  defaultShape: 'bars',
  items: asAnswered,
  label,
  change: () => undefined,
})

/** Shown if media files were read. */
export const mediaCards: FieldCard[] = [
  mediaCard('videoCodec', 'Video Codec'),
  mediaCard('resolution', 'Resolution'),
  mediaCard('frameRate', 'Frame Rate', (item) => `${item} fps`),
  mediaCard('camera', 'Camera'),
  mediaCard('yearTaken', 'Year Taken'),
]

/** Of these storages, those that the search already includes, so that a selection only narrows the search. */
function searchedVolumes(
  volumes: readonly NamedVolume[],
  { volumeId, storageId }: SearchFilters,
): readonly NamedVolume[] {
  const ids = [...volumeId, ...storageId]
  return ids.length === 0 ? volumes : volumes.filter(({ id }) => ids.includes(id))
}

const kindOfStorage = (name: string, volumes: readonly NamedVolume[]) =>
  groupLabel(volumes.find((volume) => volume.name === name)?.type ?? '')

/**
 * Files without an extension are found by excluding all files with one. Extensions with commas can't be listed in a
 * search.
 */
function extensionChange(item: string, filters: SearchFilters): FilterChange | undefined {
  if (item === '') return { ignorePattern: [...new Set([...filters.ignorePattern, withExtension])] }
  if (!item.includes(',')) return { extension: [item] }
  return filters.name === undefined ? { name: `*.${literalPattern(item)}` } : undefined
}
