import type { SearchFilters } from '#events/search-filters.ts'
import type { Volume } from '#events/snapshots.ts'
import { isArchive, isFileStorage } from '../parts/storages/storageKind.ts'
import type { ListKind } from './listKind.ts'

type Kinds = readonly Pick<Volume, 'id' | 'type'>[]
/** What is said where nothing was found: of deleted ones, and of a kind of storage when only such are searched. */
export function noResults(list: ListKind, filters: SearchFilters, volumes: Kinds): string {
  if (filters.showOnlyDeletedFiles) return `No deleted ${list} found.`
  const types = volumes.filter(({ id }) => filters.volumeId.includes(id)).map(({ type }) => type)
  if (types.length === 0) return `No ${list} found`
  if (types.every(isArchive)) return `No archive ${list} found.`
  if (types.every(isFileStorage)) return `No On-Premises ${list} found.`
  const isCloud = (type: string) => !isArchive(type) && !isFileStorage(type)
  return types.every(isCloud) ? `No cloud ${list} found.` : `No ${list} found`
}
