import { useSearch } from 'wouter'
import { ownPath } from '#events/users/session.ts'
import { wallPath } from '#events/wall.ts'
import { withBase } from './place/basePath.ts'
import { type SettingsPageName, settingsPages } from './place/settingsPages.ts'

/** All URLs of the product. `date` is the selected snapshot; without it, the newest. */
export const linksAt = (date?: string) => ({
  dashboard: () => at('/', { date }),
  search: (filters: QueryParams = {}) => at('/search', { ...filters, date }),
  fileManagement: (place: FilePlace = {}) => at('/filemanagement', { ...place, date }),
  map: (place: { volumeId: number; path: string }) => at('/map', { ...place, date }),
  folders: (place: { volumeId: number; path: string; previousDate?: string | undefined }) =>
    at('/folders', { ...place, date }),
  comparison: (place: ComparedPlace = {}) => at('/comparison', { ...place, date }),
  /** All storages; with `edit` the form of one, whose field `at` has the focus. */
  storages: (open: { edit?: number; at?: StorageField } = {}) => at('/storages', { ...open, date }),
  volume: (id: number) => at(`/volumes/${id}`, { date }),
  projects: () => at('/projects', { date }),
  newProject: () => at('/projects/new', { date }),
  project: (id: number) => at(`/project/${id}`, { date }),
  editProject: (id: number) => at(`/project/edit/${id}`, { date }),
  reports: () => at('/reports', { date }),
  /** Opens the wizard for a new report, optionally with the criteria of a search. */
  newReport: (criteria?: string) => at('/reports', { wizard: 'new', criteria, date }),
  report: (id: number) => at(`/report/${id}`, { date }),
  policies: () => at('/policies', { date }),
  /** A new policy for the search of these parameters. */
  newPolicy: (search: QueryParams = {}) => at('/policy/new', { ...search, date }),
  /** A policy, with another search for it or with a run that is open. */
  policy: (id: number, open: QueryParams = {}) => at(`/policy/${id}`, { ...open, date }),
  settings: (page: SettingsPageName = 'system') => at(settingsPages[page].path, { date }),
  /** Opens the wizard that adds a storage. */
  addStorage: () => at('/storages', { add: 'storage', date }),
  /** Opens the same on the page to which the specification links. */
  addStorageType: () => at(settingsPages.data.path, { add: 'storage', date }),
  /** Opens the import of past days, of a storage if one is named. */
  importHistory: (volumeId?: number) => at('/storages', { add: 'import', volumeId, date }),
  /** The settings of storages by system, and their credentials. */
  storageSettings: () => at('/storages/settings', { date }),
  /** Opens the form that adds a row to a table of the settings. */
  addRow: (page: SettingsPageName, add: string) => at(settingsPages[page].path, { add, date }),
  schedules: () => at(settingsPages.schedules.path, { date }),
  addSchedule: () => at(settingsPages.schedules.path, { add: 'schedule', date }),
  jobs: (id?: number) => at(settingsPages.jobs.path, { id, date }),
  eventLog: (place: EventPlace = {}) => at('/event-log', { ...place, date }),
  alerts: () => at('/alerts', { date }),
  addAlert: () => at('/alerts', { add: 'alert', tab: 'rules', date }),
  profile: () => at('/profile', { date }),
  /** A page of the help, that of a screen by its path, or the table of contents. */
  help: ({ page, screen }: { page?: string; screen?: string } = {}) =>
    at(page === undefined ? '/help' : `/help/${page}`, { screen, date }),
  screen: (path: string) => at(path, { date }),
})

export type Links = ReturnType<typeof linksAt>

/** A folder of a volume, optionally with a file and a date to compare with. */
type FilePlace = { volumeId?: number; path?: string; fileName?: string; previousDate?: string | undefined }

/** Fields of a storage that a link can open. */
export type StorageField = 'ignored' | 'agent' | 'priceBook'

/** A mode of the event log, and which events it shows. */
type EventPlace = { mode?: string; stream?: string; type?: readonly string[]; event?: number }

/** Subject of a comparison: a folder of a volume, or everything. */
type ComparedPlace = {
  volumeId?: number
  path?: string
  previousDate?: string | undefined
  /** Growth to show, and the owner or extension whose files are listed. */
  by?: 'owner' | 'extension'
  owner?: string
  extension?: string
}

/** Links that keep the selected snapshot. */
export const useLinks = () => linksAt(new URLSearchParams(useSearch()).get('date') ?? undefined)

/** The wall is a page of its own: open it instead of navigating to it. */
export const wallAddress = (token: string): string => `${location.origin}${withBase(at(wallPath, { token }))}`

/** The wall with some options, as shown to the current user. `scheme` is empty for the colors of the browser. */
export const wallPreview = ({ boards, every, scheme }: { boards: string[]; every: number; scheme: string }): string =>
  at(wallPath, { boards: boards.join(','), every, scheme: scheme || undefined })

/** Sign-in URL that returns to the current page. */
export const signInAddress = (loginUrl: string, redirectTo: string): string =>
  `${loginUrl}${loginUrl.includes('?') ? '&' : '?'}${new URLSearchParams({ redirectTo })}`

/** Redirect target after sign-in. Accepts only paths of this product, to prevent open redirects. */
export const afterSignIn = (search: string): string => ownPath(new URLSearchParams(search).get('redirectTo'))

/** Query parameters; an array repeats its parameter. */
type QueryParams = Record<string, string | number | readonly string[] | undefined>

function at(path: string, query: QueryParams): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const word of [value ?? []].flat()) search.append(name, String(word))
  return search.size > 0 ? `${path}?${search}` : path
}
