import type { FieldTotals, groupingFields, searchFields } from '#events/search.ts'
import type { Answer } from '#events/endpoint.ts'
import { type SearchFilters, withExtension } from '#events/search-filters.ts'
import type { Volume } from '#events/snapshots.ts'
import { storageKind } from '../../parts/storages/storageKind.ts'
import type { FilterChange } from './cardChart.ts'

export type Named = Pick<Volume, 'id' | 'name' | 'type'>

/** What a card counts files by. */
export type FieldCard = {
  key: string
  title: string
  fieldName: (typeof groupingFields)[number]
  /** How it is drawn until something else was chosen here: few parts as a circle. */
  usually: 'circle' | 'bars'
  /** What the items of the answer are to this card. */
  items: (answer: Answer<typeof searchFields>, volumes: readonly Named[]) => FieldTotals[]
  label: (item: string) => string
  /** What choosing an item asks for; nothing where it cannot be asked for. */
  change: (item: string, filters: SearchFilters, volumes: readonly Named[]) => FilterChange | undefined
}

const asAnswered = (answer: FieldTotals[]) => answer
const idsOf = (volumes: readonly Named[], isMeant: (volume: Named) => boolean): FilterChange | undefined => {
  const ids = volumes.filter(isMeant).map(({ id }) => String(id))
  return ids.length > 0 ? { volumeId: ids } : undefined
}

/** Also what costs are counted by. */
export const storagesCard: FieldCard = {
  key: 'storages',
  title: 'Storages',
  fieldName: 'storageName',
  usually: 'bars',
  items: asAnswered,
  label: (item) => item.replace(/^S3-BUCKET-/, ''),
  change: (item, filters, volumes) => idsOf(asked(volumes, filters), ({ name }) => name === item),
}

export const fieldCards: FieldCard[] = [
  {
    key: 'extension',
    title: 'Extension',
    fieldName: 'extension',
    usually: 'bars',
    items: asAnswered,
    label: (item) => item || 'No extension',
    change: (item, filters) => extensionChange(item, filters),
  },
  storagesCard,
  {
    key: 'owners',
    title: 'Owners',
    fieldName: 'owner',
    usually: 'bars',
    items: asAnswered,
    label: (item) => item || 'No owner',
    change: (item) => (item === '' ? undefined : { owner: item }),
  },
  {
    key: 'groups',
    title: 'Groups',
    fieldName: 'group',
    usually: 'bars',
    items: asAnswered,
    label: (item) => item || 'No group',
    change: (item) => (item === '' ? undefined : { group: item }),
  },
  {
    key: 'duplicates',
    title: 'Duplicates',
    fieldName: 'isDupe',
    usually: 'circle',
    items: asAnswered,
    label: (item) => (item === 'true' ? 'Duplicates' : 'Unique files'),
    change: (item) => ({ onlyDuplicates: item }),
  },
  {
    key: 'storageTypes',
    title: 'Storage Types',
    fieldName: 'storageName',
    usually: 'circle',
    items: (answer, volumes) => answer.map((item) => ({ ...item, field: kindOfStorage(item.field, volumes) })),
    label: (item) => item,
    change: (item, filters, volumes) => idsOf(asked(volumes, filters), ({ type }) => storageKind(type) === item),
  },
]

/** Of the storages those that are searched already: a choice narrows. */
function asked(volumes: readonly Named[], { volumeId, storageId }: SearchFilters): readonly Named[] {
  const ids = [...volumeId, ...storageId]
  return ids.length === 0 ? volumes : volumes.filter(({ id }) => ids.includes(id))
}

const kindOfStorage = (name: string, volumes: readonly Named[]) =>
  storageKind(volumes.find((volume) => volume.name === name)?.type ?? '')

/** What has no extension is found by leaving out all that has one; a list of extensions is read without dots and commas. */
function extensionChange(item: string, filters: SearchFilters): FilterChange | undefined {
  if (item === '') return { ignorePattern: [...new Set([...filters.ignorePattern, withExtension])] }
  if (!/[,.\s]/.test(item)) return { extension: [item] }
  return filters.name === undefined ? { name: `*.${item}` } : undefined
}
