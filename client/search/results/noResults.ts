import type { SearchFilters } from '#events/search/filters.ts'
import type { Volume } from '#events/snapshots.ts'
import { groupOfType, storageGroups } from '#events/sources/kinds.ts'
import type { ListKind } from '#client/parts/searched/searchAddress.ts'

type Kinds = readonly Pick<Volume, 'id' | 'type'>[]
/** Text of the empty state, with special cases for deleted entries and for kinds of storage. */
export function noResults(list: ListKind, filters: SearchFilters, volumes: Kinds): string {
  if (filters.showOnlyDeletedFiles) return `No deleted ${list} found.`
  const searched = volumes.filter(({ id }) => filters.volumeId.includes(id))
  const [group, ...others] = new Set(searched.map(({ type }) => groupOfType(type)))
  return group && others.length === 0 ? `No ${storageGroups[group].place} ${list} found.` : `No ${list} found`
}
