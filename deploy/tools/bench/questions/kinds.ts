import { snapshotDates } from './fill/calendar.ts'
import type { Place, Targets } from './targets.ts'

/** A query with the calls that a screen makes at the same time, below `/api`. */
export type Variant = { name: string; paths: string[] }

/** A kind of query with its target times: milliseconds with 10 and with 100 million entries. */
export type Kind = {
  name: string
  aims: readonly [small: number, large: number]
  /** True if it has to stay fast during heavy queries and scans. */
  light: boolean
  variants: Variant[]
}

type Query = Record<string, string | number | boolean>
const older = snapshotDates[4] ?? ''

const call = (path: string, query: Query = {}): string => {
  const parameters = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
  return parameters.size === 0 ? path : `${path}?${parameters}`
}
const variant = (name: string, ...paths: string[]): Variant => ({ name, paths })

const opened = (name: string, { volume, path }: Place, query: Query = {}) =>
  variant(name, call('/v1/directories/contents', { path, storageId: volume, ...query }))
/** The folders and the files of a folder as separate lists with pages. */
const openedAsLists = (name: string, { volume, path }: Place) =>
  variant(
    name,
    ...['folders', 'files'].map((part) =>
      call(`/v1/directories/contents/${part}`, { path, storageId: volume, size: 25 }),
    ),
  )
/** The first page of a list of files, and their totals. */
const searched = (name: string, query: Query, order: Query = {}) =>
  variant(name, call('/files/search', { size: 50, ...query, ...order }), call('/files/search/sizes', query))
const within = ({ volume, path }: Place): Query => ({ storageAndPath: `${volume}:${path}` })
const rootOf = (volume: number): Place => ({ volume, path: '/' })
const folderOf = ({ volume, path }: Place): Query => ({ storageId: volume, path })
const byName = { sort: 'name', direction: 'asc' }
const byDate = { sort: 'lastModified', direction: 'desc' }

/**
 * The table of targets, with several variants of each kind: common and rare patterns, sort orders, newest and older
 * dates.
 */
export const kindsOf = (targets: Targets): Kind[] => [
  openFolder(targets),
  dashboard(targets),
  searchWithin(targets),
  folderHistory(targets),
  fieldsAndDates,
  mapColours(targets),
  wildcard,
  onlyDuplicates(targets),
  csv,
]

const openFolder = ({ office, render, inbox, department, deep }: Targets): Kind => ({
  name: 'open a folder, first page',
  aims: [30, 50],
  light: true,
  variants: [
    opened('root', rootOf(office)),
    opened('run of frames', render),
    opened('department', department),
    opened('deep folder', deep),
    opened('flat folder', inbox),
    opened('flat folder by name', inbox, byName),
    openedAsLists('department as lists', department),
    openedAsLists('flat folder as lists', inbox),
    opened('run of frames, older', render, { indexingDate: older }),
    opened('flat folder, older', inbox, { indexingDate: older }),
  ],
})

const dashboard = ({ studio, office }: Targets): Kind => ({
  name: 'dashboard, volume page',
  aims: [50, 50],
  light: true,
  variants: [
    variant(
      'dashboard',
      call('/v1/dashboard'),
      call('/v1/volumes'),
      call('/v1/volumes/mostActiveVolumes'),
      call('/v1/storages'),
    ),
    variant(
      'dashboard, older',
      ...['/v1/dashboard', '/v1/volumes', '/v1/volumes/mostActiveVolumes'].map((path) =>
        call(path, { indexingDate: older }),
      ),
    ),
    variant('most active in a year', call('/v1/volumes/mostActiveVolumes', { duration: 365 })),
    variant('volume of a studio', call(`/v1/detailedVolumes/${studio}`, { size: 1 })),
    variant('volume of an office', call(`/v1/detailedVolumes/${office}`, { size: 1 })),
    variant('volume, older', call(`/v1/detailedVolumes/${office}`, { size: 1, indexingDate: older })),
  ],
})

const searchWithin = ({ show, department }: Targets): Kind => ({
  name: 'search within a path, page and totals',
  aims: [150, 400],
  light: false,
  variants: [
    searched('show, all', within(show)),
    searched('show, pattern', { ...within(show), search: '*_comp_*.exr' }),
    searched('show, rare', { ...within(show), search: 'README' }, byName),
    searched('department, extension', { ...within(department), extension: 'pdf' }, byDate),
    searched('department, size and date', {
      ...within(department),
      minimumSize: 1,
      minimumSizeUnit: 'MB',
      lastModifiedAfter: '2024-01-01',
    }),
    searched('show, older', { ...within(show), search: 'plates', indexingDate: older }),
  ],
})

const folderHistory = ({ office, show, render, department, deep }: Targets): Kind => ({
  name: 'folder history, all snapshots',
  aims: [50, 100],
  light: true,
  variants: [
    ...Object.entries({ root: rootOf(office), show, render, department, deep }).map(([name, place]) =>
      variant(name, call('/v1/directories/details', folderOf(place))),
    ),
    variant('statistics of a show', call('/directories/statistics', folderOf(show))),
  ],
})

const fieldsAndDates: Kind = {
  name: 'fields and dates, whole snapshot',
  aims: [400, 4_000],
  light: false,
  variants: [
    ...['extension', 'owner', 'group', 'storageName', 'isDupe'].map((fieldName) =>
      variant(`by ${fieldName}`, call('/files/search/fields', { fieldName })),
    ),
    variant('years modified', call('/files/search/dates', { dateField: 'lastModified', dateIntervalType: 'YEAR' })),
    variant('months read', call('/files/search/dates', { dateField: 'lastAccess', dateIntervalType: 'MONTH' })),
    variant('weeks created', call('/files/search/dates', { dateField: 'creationDate', dateIntervalType: 'WEEK' })),
    variant('by extension, older', call('/files/search/fields', { fieldName: 'extension', indexingDate: older })),
  ],
}

/** Additional queries of a map that is colored by type or owner. */
const mapColours = ({ studio, office, show }: Targets): Kind => {
  const coloured = (name: string, place: Place, query: Query) =>
    variant(name, call('/v1/directories/map/dominant', { ...folderOf(place), ...query }))
  return {
    name: 'colours of a map',
    aims: [400, 4_000],
    light: false,
    variants: [
      coloured('types of a studio', rootOf(studio), { by: 'extension' }),
      coloured('owners of a studio', rootOf(studio), { by: 'owner' }),
      coloured('types of an office', rootOf(office), { by: 'extension' }),
      coloured('types of an office, older', rootOf(office), { by: 'extension', indexingDate: older }),
      coloured('types of a show', show, { by: 'extension' }),
    ],
  }
}

const wildcard: Kind = {
  name: 'name wildcard, whole, page and totals',
  aims: [1_200, 10_000],
  light: false,
  variants: [
    searched('common', { search: '*comp*' }),
    searched('rare', { search: '*sh0050_fx_v002.1199*' }),
    searched('none', { search: 'nowhere to be found' }),
    searched('beginning', { search: 'IMG_68*' }, byName),
    searched('one letter each', { search: 'IMG_?8?1.p?g' }, byDate),
    searched('common, older', { search: '*report*', indexingDate: older }),
  ],
}

const onlyDuplicates = ({ studio }: Targets): Kind => ({
  name: 'only duplicates',
  aims: [600, 6_000],
  light: false,
  variants: [
    searched('all', { onlyDuplicates: true }),
    searched('all by name', { onlyDuplicates: true }, byName),
    searched('pictures', { onlyDuplicates: true, extension: 'jpg,png' }, byDate),
    searched('one volume', { onlyDuplicates: true, storageId: studio }),
    searched('older', { onlyDuplicates: true, indexingDate: older }),
  ],
})

const csv: Kind = {
  name: 'CSV of a million rows',
  aims: [8_000, 10_000],
  light: false,
  variants: [
    variant('largest', call('/files/search/csv', { sort: 'size', direction: 'desc' })),
    variant('by name', call('/files/search/csv', { search: '*e*', ...byName })),
  ],
}
