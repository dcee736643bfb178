import { compareNames } from '#events/contract/names.ts'
import { projects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import type { AlertClass } from '#events/schedules/calls.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import { storages } from '#events/storages.ts'
import { IdsSelect } from '#client/parts/settings-table/IdsSelect.tsx'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { useRemote } from '#client/app/remote.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { alertTexts } from './alertWords.ts'

/** A storage, project or report that an alert can watch. */
type AlertResource = { id: number; name: string }

/** Resources by type of alert, in alphabetical order. */
export type AlertResources = Record<AlertClass, Loadable<AlertResource[]>>

/** Only file storages have a known capacity, and only they follow changes. */
export function useAlertResources(): AlertResources {
  const query = { size: 1_000, sort: 'NAME', direction: 'asc' } as const
  const volumes = useRemote(storages, { query }, 'sources')
  const named = useRemote(projects.list, { query: { size: 1_000, sort: 'name', direction: 'asc' } }, 'projects')
  const checks = useRemote(reportChecks, {}, 'reports')
  const scanned = { ...volumes, data: volumes.data?.elements }
  const ofFiles = { ...volumes, data: scanned.data?.filter(({ type }) => groupOfType(type) === 'file') }
  return {
    VOLUME_SPACE_ALERT: ofFiles,
    MASS_CHANGE_ALERT: ofFiles,
    PROJECT_SPACE_ALERT: { ...named, data: named.data?.elements },
    SCAN_FAILED_ALERT: scanned,
    SCAN_OVERDUE_ALERT: scanned,
    REPORT_CHECK_ALERT: { ...checks, data: checks.data?.toSorted((a, b) => compareNames(a.name, b.name)) },
  }
}

type ResourcesSelectProps = InputProps<string[]> & { jobClass?: AlertClass }

/** The storages, projects or reports that an alert watches. */
export function ResourcesSelect({ jobClass = 'VOLUME_SPACE_ALERT', ...select }: ResourcesSelectProps) {
  const { data, error, retry } = useAlertResources()[jobClass]
  if (error && !data) return <Failure error={error} retry={retry} />
  return <IdsSelect key={jobClass} {...select} known={data ?? []} nothingFoundMessage={alertTexts[jobClass].none} />
}
