import type { storNextMappings } from '#events/actions/storNext.ts'
import type { sodaMappings } from '#events/actions/transfers.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import type { ItemRule } from './validItems.ts'

/** All mappings; each storage has at most one. */
export const mappingsQuery = { page: 1, size: 200, sort: 'id', direction: 'asc' } as const

/** Accepts items of the storages that have a path in an external system. `text` states that rule. */
export function useMappedStorages(
  mappings: typeof storNextMappings.list | typeof sodaMappings.list,
  text: string,
): Loadable<ItemRule> {
  const { data, ...state } = useRemote(mappings, { query: mappingsQuery })
  return { ...state, data: data && ruleOf(data.elements, text) }
}

function ruleOf(mappings: readonly { volumeId: number }[], text: string): ItemRule {
  const mapped = new Set(mappings.map(({ volumeId }) => volumeId))
  return { acceptsVolume: ({ id }) => mapped.has(id), text }
}
