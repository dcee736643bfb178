import { agents } from '#events/agents.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Option } from '#client/parts/settings-table/form.ts'
import { allByName } from '#client/parts/pagination/pageSizes.ts'

/** Users set up fewer agents by hand than one page has. */
export const useAgents = (isNeeded = true) =>
  useRemote(agents.list, isNeeded ? { query: allByName } : undefined, 'agents')

type NamedAgent = { id: number; name: string }

/** Options of a select for rows with a name; empty until loaded. */
export const optionsOf = (list: { elements: NamedAgent[] } | undefined): Option[] =>
  (list?.elements ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
