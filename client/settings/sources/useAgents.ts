import { agents } from '#events/agents.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Option } from '#client/parts/settings-table/form.ts'

/** More than one page may hold are not set up by hand. */
const byName = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const

/** The agents to select one from. */
export const useAgents = () => useRemote(agents.list, { query: byName }, 'agents')

type Named = { id: number; name: string }

/** What is read by name, as a select offers it; nothing while it is not known. */
export const optionsOf = (list: { elements: Named[] } | undefined): Option[] =>
  (list?.elements ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
