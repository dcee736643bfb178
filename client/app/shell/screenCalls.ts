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
import type { CurrentUser } from '#events/users/session.ts'
import { userMay } from '#client/app/session.state.ts'

/** The call that each screen needs, by the start of its path. The dashboard has only its own path. */
const screenCalls: Record<string, Endpoint> = {
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

/** The call that the screen of an address needs, if there is one. */
export function callOfScreen(address: string): Endpoint | undefined {
  const [path = ''] = address.split('?')
  return Object.entries(screenCalls).find(([start]) => path === start || path.startsWith(`${start}/`))?.[1]
}

/** Returns whether a user may make the call that a screen needs. */
export function mayOpen(user: CurrentUser | undefined, address: string): boolean {
  const call = callOfScreen(address)
  return call === undefined || userMay(user, call)
}
