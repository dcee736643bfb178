import { storNextMappings } from '#events/actions/storNext.ts'
import { useRemote } from '#client/app/remote.ts'
import type { ItemRule } from '#client/parts/actions/wizard/validItems.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

const query = { page: 1, size: 200, sort: 'id', direction: 'asc' } as const

/** Accepts items of the storages that have a path in Quantum StorNext. */
export function useMappedStorages(): Loadable<ItemRule> {
  const { data, ...state } = useRemote(storNextMappings.list, { query })
  return { ...state, data: data && ruleOf(data.elements.map(({ volumeId }) => volumeId)) }
}

function ruleOf(volumeIds: readonly number[]): ItemRule {
  const mapped = new Set(volumeIds)
  return {
    acceptsVolume: ({ id }) => mapped.has(id),
    text: 'Only files and folders of storages with a Quantum StorNext path can be archived or restored.',
  }
}
