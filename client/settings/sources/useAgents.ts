import { agents } from '#events/agents.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Option } from '#client/parts/settings-table/form.ts'

/** Users set up fewer agents by hand than one page has. */
const byName = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const

export const useAgents = (isNeeded = true) => useRemote(agents.list, isNeeded ? { query: byName } : undefined, 'agents')

type NamedAgent = { id: number; name: string }

/** Options of a select for rows with a name; empty until loaded. */
export const optionsOf = (list: { elements: NamedAgent[] } | undefined): Option[] =>
  (list?.elements ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
