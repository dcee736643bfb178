import { useSearch } from 'wouter'
import { ownPath } from '#events/users/session.ts'

/** Every address of the product. `date` is the snapshot that is looked at; without it, the newest. */
export const linksAt = (date?: string) => ({
  dashboard: () => at('/', { date }),
  search: (filters: QueryParams = {}) => at('/search', { ...filters, date }),
  fileManagement: (place: FilePlace = {}) => at('/filemanagement', { ...place, date }),
  map: (place: { volumeId: number; path: string }) => at('/map', { ...place, date }),
  folders: (place: { volumeId: number; path: string; previousDate?: string | undefined }) =>
    at('/folders', { ...place, date }),
  comparison: (place: ComparedPlace = {}) => at('/comparison', { ...place, date }),
  volume: (id: number) => at(`/volumes/${id}`, { date }),
  projects: () => at('/projects', { date }),
  newProject: () => at('/projects/new', { date }),
  project: (id: number) => at(`/project/${id}`, { date }),
  editProject: (id: number) => at(`/project/edit/${id}`, { date }),
  reports: () => at('/reports', { date }),
  /** The list, with the wizard of a new report open; it begins with the conditions of a search where some are given. */
  newReport: (criteria?: string) => at('/reports', { wizard: 'new', criteria, date }),
  report: (id: number) => at(`/report/${id}`, { date }),
  settings: () => at('/settings', { date }),
  settingsData: () => at('/settings/data', { date }),
  settingsStorage: () => at('/settings/storage', { date }),
  schedules: () => at('/settings/schedules', { date }),
  jobs: (id?: number) => at('/settings/jobs', { id, date }),
  eventLog: (place: { mode?: string; stream?: string; event?: number } = {}) => at('/event-log', { ...place, date }),
  profile: () => at('/profile', { date }),
})

/** A folder of a volume, a file in it, and the day that it is compared with. */
type FilePlace = { volumeId?: number; path?: string; fileName?: string; previousDate?: string | undefined }

/** What is compared with an earlier day: a folder of a volume, or everything. */
type ComparedPlace = { volumeId?: number; path?: string; previousDate?: string | undefined }

/** Addresses that keep the snapshot that is looked at. */
export const useLinks = () => linksAt(new URLSearchParams(useSearch()).get('date') ?? undefined)

/** The wall, which is a page of its own: it is opened, not navigated to. */
export const wallPath = '/wall'
export const wallAddress = (token: string): string => `${location.origin}${at(wallPath, { token })}`

/** The sign-in, which comes back to where one was. */
export const signInAddress = (loginUrl: string, redirectTo: string): string =>
  `${loginUrl}${loginUrl.includes('?') ? '&' : '?'}${new URLSearchParams({ redirectTo })}`

/** Where to go after the sign-in: an address of this product, nothing else. */
export const afterSignIn = (search: string): string => ownPath(new URLSearchParams(search).get('redirectTo'))

/** What an address asks for, by name; several words are several of the same name. */
type QueryParams = Record<string, string | number | readonly string[] | undefined>

function at(path: string, query: QueryParams): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const word of [value ?? []].flat()) search.append(name, String(word))
  return search.size > 0 ? `${path}?${search}` : path
}
