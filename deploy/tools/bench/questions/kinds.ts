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
const older = { indexingDate: snapshotDates[4] ?? '' }
const byName = { sort: 'name', direction: 'asc' }
const byDate = { sort: 'lastModified', direction: 'desc' }

const call = (path: string, query: Query = {}): string => {
  const parameters = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
  return parameters.size === 0 ? path : `${path}?${parameters}`
}
const within = ({ volume, path }: Place): Query => ({ storageAndPath: `${volume}:${path}` })
const rootOf = (volume: number): Place => ({ volume, path: '/' })
const folderOf = ({ volume, path }: Place): Query => ({ storageId: volume, path })

const opened = ({ volume, path }: Place, query: Query = {}) =>
  call('/v1/directories/contents', { path, storageId: volume, ...query })
/** The folders and the files of a folder as separate lists with pages. */
const openedAsLists = ({ volume, path }: Place) =>
  ['folders', 'files'].map((part) => call(`/v1/directories/contents/${part}`, { path, storageId: volume, size: 25 }))
/** The first page of a list of files, and their totals. */
const searched = (query: Query, order: Query = {}) => [
  call('/files/search', { size: 50, ...query, ...order }),
  call('/files/search/sizes', query),
]
const dashboardPaths = ['/v1/dashboard', '/v1/volumes', '/v1/volumes/mostActiveVolumes']
const detailed = (volume: number, query: Query = {}) => call(`/v1/detailedVolumes/${volume}`, { size: 1, ...query })
const historyOf = (place: Place) => call('/v1/directories/details', folderOf(place))
const byField = (fieldName: string, query: Query = {}) => call('/files/search/fields', { fieldName, ...query })
const byPeriod = (dateField: string, dateIntervalType: string) =>
  call('/files/search/dates', { dateField, dateIntervalType })
const coloured = (by: string, place: Place, query: Query = {}) =>
  call('/v1/directories/map/dominant', { ...folderOf(place), by, ...query })
const csv = (query: Query) => call('/files/search/csv', query)

/** Variants of a kind: the calls by name. */
export const variants = (calls: Record<string, string | string[]>): Variant[] =>
  Object.entries(calls).map(([name, paths]) => ({ name, paths: [paths].flat() }))

const light = (name: string, aims: Kind['aims'], calls: Parameters<typeof variants>[0]): Kind => ({
  name,
  aims,
  light: true,
  variants: variants(calls),
})
const heavy = (...kind: Parameters<typeof light>): Kind => ({ ...light(...kind), light: false })

/**
 * The table of targets, with several variants of each kind: common and rare patterns, sort orders, newest and older
 * dates.
 */
export const kindsOf = (targets: Targets): Kind[] => [...ofFolders(targets), ...ofSnapshots(targets)]

const ofFolders = ({ studio, office, show, render, inbox, department, deep }: Targets): Kind[] => [
  light('open a folder, first page', [30, 50], {
    root: opened(rootOf(office)),
    'run of frames': opened(render),
    department: opened(department),
    'deep folder': opened(deep),
    'flat folder': opened(inbox),
    'flat folder by name': opened(inbox, byName),
    'department as lists': openedAsLists(department),
    'flat folder as lists': openedAsLists(inbox),
    'run of frames, older': opened(render, older),
    'flat folder, older': opened(inbox, older),
  }),
  light('dashboard, volume page', [50, 50], {
    dashboard: [...dashboardPaths, '/v1/storages'],
    'dashboard, older': dashboardPaths.map((path) => call(path, older)),
    'most active in a year': call('/v1/volumes/mostActiveVolumes', { duration: 365 }),
    'volume of a studio': detailed(studio),
    'volume of an office': detailed(office),
    'volume, older': detailed(office, older),
  }),
  heavy('search within a path, page and totals', [150, 400], {
    'show, all': searched(within(show)),
    'show, pattern': searched({ ...within(show), search: '*_comp_*.exr' }),
    'show, rare': searched({ ...within(show), search: 'README' }, byName),
    'department, extension': searched({ ...within(department), extension: 'pdf' }, byDate),
    'department, size and date': searched({
      ...within(department),
      minimumSize: 1,
      minimumSizeUnit: 'MB',
      lastModifiedAfter: '2024-01-01',
    }),
    'show, older': searched({ ...within(show), search: 'plates', ...older }),
  }),
  light('folder history, all snapshots', [50, 100], {
    root: historyOf(rootOf(office)),
    show: historyOf(show),
    render: historyOf(render),
    department: historyOf(department),
    deep: historyOf(deep),
    'statistics of a show': call('/directories/statistics', folderOf(show)),
  }),
]

const ofSnapshots = ({ studio, office, show }: Targets): Kind[] => [
  heavy('fields and dates, whole snapshot', [400, 4_000], {
    'by extension': byField('extension'),
    'by owner': byField('owner'),
    'by group': byField('group'),
    'by storageName': byField('storageName'),
    'by isDupe': byField('isDupe'),
    'years modified': byPeriod('lastModified', 'YEAR'),
    'months read': byPeriod('lastAccess', 'MONTH'),
    'weeks created': byPeriod('creationDate', 'WEEK'),
    'by extension, older': byField('extension', older),
  }),
  heavy('colours of a map', [400, 4_000], {
    'types of a studio': coloured('extension', rootOf(studio)),
    'owners of a studio': coloured('owner', rootOf(studio)),
    'types of an office': coloured('extension', rootOf(office)),
    'types of an office, older': coloured('extension', rootOf(office), older),
    'types of a show': coloured('extension', show),
  }),
  heavy('name wildcard, whole, page and totals', [1_200, 10_000], {
    common: searched({ search: '*comp*' }),
    rare: searched({ search: '*sh0050_fx_v002.1199*' }),
    none: searched({ search: 'nowhere to be found' }),
    beginning: searched({ search: 'IMG_68*' }, byName),
    'one letter each': searched({ search: 'IMG_?8?1.p?g' }, byDate),
    'common, older': searched({ search: '*report*', ...older }),
  }),
  heavy('only duplicates', [600, 6_000], {
    all: searched({ onlyDuplicates: true }),
    'all by name': searched({ onlyDuplicates: true }, byName),
    pictures: searched({ onlyDuplicates: true, extension: 'jpg,png' }, byDate),
    'one volume': searched({ onlyDuplicates: true, storageId: studio }),
    older: searched({ onlyDuplicates: true, ...older }),
  }),
  heavy('CSV of a million rows', [8_000, 10_000], {
    largest: csv({ sort: 'size', direction: 'desc' }),
    'by name': csv({ search: '*e*', ...byName }),
  }),
]
