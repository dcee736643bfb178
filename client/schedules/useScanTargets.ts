import { agents } from '#events/agents.ts'
import type { ScannerClass } from '#events/schedules/calls.ts'
import { useRemote } from '#client/app/remote.ts'
import { useSources, useStorages } from '#client/parts/scan-dialog/useSources.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { allByName } from '#client/parts/pagination/pageSizes.ts'
import { jobClasses } from './jobClasses.ts'

/** A possible target of a job class: an agent, a source of its kind, or a storage. */
export type ScanTarget = { id: number; name: string }

/** Reads the possible targets of a job class, by name. Sends no request for a class without targets. */
export function useScanTargets(jobClass: ScannerClass): Loadable<ScanTarget[]> {
  const { choice, source } = jobClasses[jobClass]
  const agentList = useRemote(agents.list, choice === 'agent' ? { query: allByName } : undefined, 'agents')
  const storageList = useStorages(choice === 'paths')
  const sourceList = useSources(choice === 'sources' ? source?.kind : undefined)
  if (choice === 'agent') return { ...agentList, data: agentList.data?.elements }
  return choice === 'paths' ? storageList : sourceList
}
