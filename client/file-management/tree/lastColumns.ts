import { entrySorts } from '#events/entries.ts'
import { entryFields } from '#events/entries/fields.ts'

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
export function treeSort(field: string, isCompared: boolean): string {
  const sort = sortsOfColumns[field] ?? field
  return entrySorts.some((one) => one === sort) || (isCompared && field === 'delta') ? sort : 'size'
}
const sortsOfColumns: Record<string, string | undefined> = { tags: 'customTag', monthlyCost: 'cost' }

/** Titles of the columns, with an explanation if ambiguous. */
export const columnWords: Record<LastColumn, { title: string; hint?: string }> = {
  numberOfFiles: { title: entryFields.numberOfFiles.label, hint: 'All files below the folder' },
  numberOfFolders: { title: entryFields.numberOfFolders.label, hint: 'All folders below the folder' },
  owner: { title: entryFields.owner.label },
  group: { title: entryFields.group.label },
  creationDate: { title: entryFields.creationDate.label },
  lastAccess: {
    title: 'Last Access (recursive)',
    hint: 'Latest access to any file below the folder, at any depth',
  },
  lastAccessFolder: {
    title: entryFields.lastAccessFolder.label,
    hint: 'Last access to the folder itself, regardless of the files below it',
  },
  lastModified: {
    title: 'Last Modified (recursive)',
    hint: 'Latest modification of any file below the folder, at any depth',
  },
  lastModifiedFolder: {
    title: entryFields.lastModifiedFolder.label,
    hint: 'Last modification of the folder itself: when an entry directly in it was created, renamed or removed',
  },
  indexingDate: { title: entryFields.indexingDate.label, hint: 'Date of the scan in this snapshot' },
  monthlyCost: { title: 'Monthly Cost', hint: 'Monthly cost at the price book of the storage' },
  tags: { title: 'Tags' },
  delta: { title: 'Delta', hint: 'Change in size between the previous date and the active date' },
}
