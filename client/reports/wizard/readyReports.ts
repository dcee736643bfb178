import { dayText } from '#client/ui/text/moment.ts'

/** A report template that can be saved directly or edited first. */
export type ReadyReport = {
  key: string
  name: string
  /** One sentence about its results. */
  finds: string
} & ({ type: 'DUPLICATED' | 'UNIQUE' } | { type: 'SEARCH_QUERY'; criteria: (today: Date) => object })

const query = (...searchQueries: object[]) => ({ searchOperator: 'AND', searchQueries, searchQueryNodes: [] })
const anyOf = (...searchQueries: object[]) => ({ searchOperator: 'OR', searchQueries, searchQueryNodes: [] })
const filesOf = (...nodes: object[]) => ({
  searchOperator: 'AND',
  searchQueries: [{ isDirectory: { value: false } }],
  searchQueryNodes: nodes,
})

const GiB = 1024 ** 3

const yearsBefore = (today: Date, years: number): string => {
  const day = new Date(today)
  day.setFullYear(day.getFullYear() - years)
  return dayText(day)
}

const dayAfter = (today: Date): string => {
  const day = new Date(today)
  day.setDate(day.getDate() + 1)
  return dayText(day)
}

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

/** Common report templates. Dates are relative to the day when one is selected. */
export const readyReports: readonly ReadyReport[] = [
  {
    key: 'old-and-large',
    name: 'Old and large files',
    finds: 'Files of 1 GB and more that nobody changed for two years.',
    type: 'SEARCH_QUERY',
    criteria: (today) =>
      query(
        { isDirectory: { value: false } },
        { size: { min: GiB } },
        { lastModifiedDate: { before: yearsBefore(today, 2) } },
      ),
  },
  {
    key: 'duplicates',
    name: 'Duplicates across storages',
    finds: 'Files of one place that are in another place too. You choose the two.',
    type: 'DUPLICATED',
  },
  {
    key: 'missing',
    name: 'Files without a copy',
    finds: 'Files of one place that are nowhere in another, such as a backup. You choose the two.',
    type: 'UNIQUE',
  },
  {
    key: 'empty-folders',
    name: 'Empty folders',
    finds: 'Folders without a file in them, at any depth.',
    type: 'SEARCH_QUERY',
    criteria: () => query({ isDirectory: { value: true } }, { numberOfFiles: { max: 0 } }),
  },
  {
    key: 'long-paths',
    name: 'Long paths',
    finds: 'Paths of more than 260 characters, which Windows and many programs do not open.',
    type: 'SEARCH_QUERY',
    criteria: () => query({ path: { regex: '^.{261}' } }),
  },
  {
    key: 'refused-names',
    name: 'Names that Windows refuses',
    finds: 'Names that Windows and cloud synchronisation refuse.',
    type: 'SEARCH_QUERY',
    criteria: () => query({ name: { regex: refusedNames } }),
  },
  {
    key: 'temporary',
    name: 'Temporary files',
    finds: 'What programs left behind: temporary files, old copies and broken downloads.',
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
    finds: 'Files and folders whose owner is a number that no account has.',
    type: 'SEARCH_QUERY',
    criteria: () => query({ owner: { regex: String.raw`^(\d+|S-1-[\d-]+)$` } }),
  },
  {
    key: 'world-writable',
    name: 'World-writable files',
    finds: 'Files and folders that every account may change, by their mode. Shared folders such as /tmp are left out.',
    type: 'SEARCH_QUERY',
    criteria: () => query({ isWorldWritable: { value: true } }),
  },
  {
    key: 'future',
    name: 'Files dated in the future',
    finds: 'Files that say they were changed after today.',
    type: 'SEARCH_QUERY',
    criteria: (today) => query({ isDirectory: { value: false } }, { lastModifiedDate: { after: dayAfter(today) } }),
  },
  {
    key: 'ransomware',
    name: 'Extensions of ransomware',
    finds: 'Files with an extension that programs give to what they encrypted.',
    type: 'SEARCH_QUERY',
    criteria: () => filesOf(anyOf({ extension: { values: ransomExtensions } })),
  },
]
