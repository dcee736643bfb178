import { entrySorts } from '#events/entries.ts'

/** Options for the last column of the tree. */
export const lastColumns = [
  'numberOfFiles',
  'numberOfFolders',
  'owner',
  'group',
  'creationDate',
  'lastAccess',
  'lastAccessFolder',
  'lastModified',
  'lastModifiedFolder',
  'indexingDate',
  'monthlyCost',
  'tags',
  'delta',
] as const
export type LastColumn = (typeof lastColumns)[number]

/** Sort key for the server; changes only with a previous date. */
export const treeSort = (field: string, isCompared: boolean): string =>
  entrySorts.some((sort) => sort === field) || (isCompared && field === 'delta') ? field : 'size'

/** Titles of the columns, with an explanation if ambiguous. */
export const columnWords: Record<LastColumn, { title: string; hint?: string }> = {
  numberOfFiles: { title: 'Number of Files', hint: 'All files below the folder' },
  numberOfFolders: { title: 'Number of Folders', hint: 'All folders below the folder' },
  owner: { title: 'Owner' },
  group: { title: 'Group' },
  creationDate: { title: 'Creation Date' },
  lastAccess: {
    title: 'Last Access (recursive)',
    hint: 'The latest last access of all files below the folder, however deep',
  },
  lastAccessFolder: {
    title: 'Last Access (folder only)',
    hint: 'The last access of the folder itself, whatever happened to the files below it',
  },
  lastModified: {
    title: 'Last Modified (recursive)',
    hint: 'The latest last modification of all files below the folder, however deep',
  },
  lastModifiedFolder: {
    title: 'Last Modified (folder only)',
    hint: 'The last modification of the folder itself: when something directly in it was created, renamed or removed',
  },
  indexingDate: { title: 'Indexing Date', hint: 'The day of the scan that this snapshot shows' },
  monthlyCost: { title: 'Monthly Cost', hint: 'What the size costs per month by the price book of the storage' },
  tags: { title: 'Tags' },
  delta: { title: 'Delta', hint: 'By how much the size changed between the previous date and the active date' },
}
