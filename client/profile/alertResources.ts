import { projects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import type { AlertClass } from '#events/schedules/calls.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import { storages } from '#events/storages.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

/** A storage, project or report that an alert can watch. */
type AlertResource = { id: number; name: string }

/** Resources by type of alert, in alphabetical order. */
export type AlertResources = Record<AlertClass, Loadable<AlertResource[]>>

/** Only storages with a known capacity. */
export function useAlertResources(): AlertResources {
  const query = { size: 1_000, sort: 'NAME', direction: 'asc' } as const
  const volumes = useRemote(storages, { query }, 'sources')
  const named = useRemote(projects.list, { query: { size: 1_000, sort: 'name', direction: 'asc' } }, 'projects')
  const checks = useRemote(reportChecks, {}, 'reports')
  return {
    VOLUME_SPACE_ALERT: {
      ...volumes,
      data: volumes.data?.elements.filter(({ type }) => groupOfType(type) === 'file'),
    },
    REPORT_CHECK_ALERT: { ...checks, data: checks.data?.toSorted((a, b) => a.name.localeCompare(b.name)) },
    PROJECT_SPACE_ALERT: { ...named, data: named.data?.elements },
  }
}
