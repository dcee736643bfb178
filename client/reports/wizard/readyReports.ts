import { monthsBefore } from '#events/contract/days.ts'
import type { Bundle } from '#events/contract/needs.ts'
import { dayText } from '#client/ui/text/moment.ts'

/** A report template that can be saved directly or edited first. */
export type ReadyReport = {
  key: string
  name: string
  /** One sentence about its results. */
  finds: string
  /** Needed license. */
  bundle?: Bundle
} & ({ type: 'DUPLICATED' | 'UNIQUE' } | { type: 'SEARCH_QUERY'; criteria: (today: Date) => object })

const query = (...searchQueries: object[]) => ({ searchOperator: 'AND', searchQueries, searchQueryNodes: [] })
const anyOf = (...searchQueries: object[]) => ({ searchOperator: 'OR', searchQueries, searchQueryNodes: [] })
const filesOf = (...nodes: object[]) => ({
  searchOperator: 'AND',
  searchQueries: [{ isDirectory: { value: false } }],
  searchQueryNodes: nodes,
})

const GiB = 1024 ** 3

const yearsBefore = (today: Date, years: number): string => monthsBefore(dayText(today), 12 * years)

const temporaryExtensions = ['tmp', 'temp', 'bak', 'old', 'swp', 'part', 'crdownload', 'dmp', 'chk']

/** File extensions used by ransomware. */
const ransomExtensions = (
  'akira babyk blackbyte cerber cerber2 cerber3 clop conti crypt crypted cryptolocker deadbolt djvu encrypted enc ezz hive ' +
  'locked lockbit locky maze medusa odin phobos qlocker royal ryk stop thor wannacry wcry wncry wnry xtbl zepto zzzzz'
).split(' ')

/**
 * Characters and names that Windows and compatible services reject, including names that end with a space or a period.
 */
const refusedNames = String.raw`[<>:"\\|?*\x00-\x1f]|[. ]$|^(?i:con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)`

const houseCodecs = ['prores', 'dnxhd']

/** Codecs of masters and of cameras, which are too large for editing on a laptop. */
const masterCodecs = [...houseCodecs, 'prores raw', 'cfhd', 'jpeg2000', 'rawvideo', 'v210']

/** Common report templates. Dates are relative to the day when one is selected. */
export const readyReports: readonly ReadyReport[] = [
  {
    key: 'old-and-large',
    name: 'Old and large files',
    finds: 'Files of 1 GiB or more that have not changed for two years.',
    type: 'SEARCH_QUERY',
    criteria: (today) =>
      query(
        { isDirectory: { value: false } },
        { size: { min: GiB } },
        { lastModifiedDate: { before: yearsBefore(today, 2) } },
      ),
  },
  {
    key: 'not-archived',
    name: 'Not archived and older than a year',
    finds:
      'Files that have not changed for a year and are not in an Archiware P5 index, or changed since they were archived.',
    bundle: 'archiwareP5',
    type: 'SEARCH_QUERY',
    criteria: (today) =>
      query(
        { isDirectory: { value: false } },
        { lastModifiedDate: { before: yearsBefore(today, 1) } },
        { archived: { values: ['notArchived', 'changed'] } },
      ),
  },
  {
    key: 'duplicates',
    name: 'Duplicates across storages',
    finds: 'Files in one location that also exist in another. You select both.',
    type: 'DUPLICATED',
  },
  {
    key: 'missing',
    name: 'Files without a copy',
    finds: 'Files in one location that are missing in another, such as a backup. You select both.',
    type: 'UNIQUE',
  },
  {
    key: 'empty-folders',
    name: 'Empty folders',
    finds: 'Folders without any files, at any depth.',
    type: 'SEARCH_QUERY',
    criteria: () => query({ isDirectory: { value: true } }, { numberOfFiles: { max: 0 } }),
  },
  {
    key: 'long-paths',
    name: 'Long paths',
    finds: "Paths of more than 260 characters, which Windows and many programs can't open.",
    type: 'SEARCH_QUERY',
    criteria: () => query({ path: { regex: '^.{261}' } }),
  },
  {
    key: 'refused-names',
    name: 'Names that Windows rejects',
    finds: 'Names that Windows and cloud sync reject.',
    type: 'SEARCH_QUERY',
    criteria: () => query({ name: { regex: refusedNames } }),
  },
  {
    key: 'temporary',
    name: 'Temporary files',
    finds: 'Leftovers of programs: temporary files, old copies and incomplete downloads.',
    type: 'SEARCH_QUERY',
    criteria: () =>
      filesOf(
        anyOf(
          { extension: { values: temporaryExtensions } },
          { name: { wildcard: '~$*' } },
          { name: { values: ['Thumbs.db', '.DS_Store', 'desktop.ini'] } },
        ),
      ),
  },
  {
    key: 'no-owner',
    name: 'Owners that no longer exist',
    finds: 'Files and folders whose owner ID belongs to no account.',
    type: 'SEARCH_QUERY',
    criteria: () => query({ owner: { regex: String.raw`^(\d+|S-1-[\d-]+)$` } }),
  },
  {
    key: 'world-writable',
    name: 'World-writable files',
    finds: 'Files and folders that every user can change. Shared folders such as /tmp are left out.',
    type: 'SEARCH_QUERY',
    criteria: () => query({ isWorldWritable: { value: true } }),
  },
  {
    key: 'unknown-date',
    name: 'Files with unknown dates',
    finds: 'Files without a modification date, or with one before 1970 or after the scan.',
    type: 'SEARCH_QUERY',
    // Known dates are after the first day.
    criteria: () =>
      query({ isDirectory: { value: false } }, { lastModifiedDate: { after: '0001-01-01' }, excludeFilter: true }),
  },
  {
    key: 'house-codec',
    name: 'Video not in a house codec',
    finds:
      'Videos in other codecs than ProRes and DNxHD. You can change the list. Needs storages whose media files are read.',
    type: 'SEARCH_QUERY',
    criteria: () =>
      query(
        { isDirectory: { value: false } },
        { 'metadata.video.codec': { wildcard: '?*' } },
        { 'metadata.video.codec': { values: houseCodecs }, excludeFilter: true },
      ),
  },
  {
    key: 'no-proxy',
    name: 'Masters without a proxy',
    finds:
      'Videos in codecs of masters without a smaller version of the same name and duration. Needs storages whose media files are read.',
    type: 'SEARCH_QUERY',
    criteria: () =>
      query(
        { isDirectory: { value: false } },
        { 'metadata.video.codec': { values: masterCodecs } },
        { 'metadata.video.hasProxy': { value: false } },
      ),
  },
  {
    key: 'other-sizes',
    name: 'Same picture in several resolutions',
    finds: 'Images that also exist in another resolution. Needs storages whose media files are read.',
    type: 'SEARCH_QUERY',
    criteria: () => query({ isDirectory: { value: false } }, { 'metadata.image.hasOtherSizes': { value: true } }),
  },
  {
    key: 'ransomware',
    name: 'Extensions of ransomware',
    finds: 'Files with extensions used by ransomware.',
    type: 'SEARCH_QUERY',
    criteria: () => filesOf(anyOf({ extension: { values: ransomExtensions } })),
  },
]
