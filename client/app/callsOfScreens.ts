import { comparison } from '#events/comparison.ts'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { dashboard } from '#events/dashboard.ts'
import { partOfFolder } from '#events/folders/browse.ts'
import { folderStatistics } from '#events/folders/calls.ts'
import { mapOfFolder } from '#events/folders/map.ts'
import { jobs } from '#events/jobs/calls.ts'
import { storageOverview } from '#events/overview/storageOverview.ts'
import { projects } from '#events/projects/calls.ts'
import { reports } from '#events/reports/calls.ts'
import { incidents } from '#events/schedules/incidents.ts'
import { searchFiles } from '#events/search/calls.ts'

/** The call that each screen needs, by the start of its path. The dashboard has only its own path. */
export const callsOfScreens: Record<string, Endpoint> = {
  '/': dashboard,
  '/storages': storageOverview,
  '/volumes': storageOverview,
  '/filemanagement': partOfFolder,
  '/folders': folderStatistics,
  '/map': mapOfFolder,
  '/comparison': comparison,
  '/projects': projects.list,
  '/project': projects.find,
  '/reports': reports.list,
  '/report': reports.find,
  '/search': searchFiles,
  '/settings/jobs': jobs.list,
  '/alerts': incidents.firing,
}
