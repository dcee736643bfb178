import { searchEntries } from '#events/search/criteria.ts'
import type { Entry, EntrySummary } from '#events/entries.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import type { EntryStatus } from './entryStatus.ts'

/** An entry as its row has it, possibly without some fields. */
export type KnownEntry = EntrySummary & Partial<Entry> & EntryStatus

export const isFullEntry = (entry: KnownEntry): entry is Entry => entry.identificationHash !== undefined

/** Loads the missing fields of an opened entry and keeps it up to date, including its tags. */
export function useFullEntry(opened: KnownEntry): { entry: KnownEntry; remote: Loadable<unknown> } {
  const { at } = useActiveDate()
  const criteria = [
    { fileId: { value: opened.fileId } },
    { isDeleted: { value: opened.deleted } },
    { volumeId: { values: [opened.volumeId] } },
  ]
  const remote = useRemote(searchEntries, { query: { ...at, size: 1 }, body: criteria }, 'snapshots', 'tags')
  return { entry: remote.data?.elements.find(({ fileId }) => fileId === opened.fileId) ?? opened, remote }
}
