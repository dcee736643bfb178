import { searchEntries } from '#events/criteria.ts'
import type { Entry, EntrySummary } from '#events/entries.ts'
import { useActiveDate } from '../../app/activeDate.ts'
import { useRemote } from '../../app/remote.ts'
import type { Loadable } from '../../ui/loadable.ts'
import type { Fate } from './gone.ts'

/** An entry of which the row that it was opened from may not have told all. */
export type KnownEntry = EntrySummary & Partial<Entry> & Fate

export const isWhole = (entry: KnownEntry): entry is Entry => entry.identificationHash !== undefined

/** An entry as it was opened, and from then on all of it as it is, such as with the tags that others give it. */
export function useWholeEntry(opened: KnownEntry): { entry: KnownEntry; asked: Loadable<unknown> } {
  const { indexingDate } = useActiveDate()
  const criteria = [
    { fileId: { value: opened.fileId } },
    { isDeleted: { value: opened.deleted } },
    { volumeId: { values: [opened.volumeId] } },
  ]
  const asked = useRemote(searchEntries, { query: { indexingDate, size: 1 }, body: criteria }, 'snapshots', 'tags')
  return { entry: asked.data?.elements.find(({ fileId }) => fileId === opened.fileId) ?? opened, asked }
}
