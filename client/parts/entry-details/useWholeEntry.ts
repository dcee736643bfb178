import { searchEntries } from '#events/criteria.ts'
import type { Entry } from '#events/entries.ts'
import { useActiveDate } from '../../app/activeDate.ts'
import { useRemote } from '../../app/remote.ts'

/** An entry as it was opened, and from then on as it is, such as with the tags that others give it. */
export function useFreshEntry(opened: Entry): Entry {
  const { indexingDate } = useActiveDate()
  const criteria = [
    { fileId: { value: opened.fileId } },
    { isDeleted: { value: opened.deleted } },
    { volumeId: { values: [opened.volumeId] } },
  ]
  const found = useRemote(searchEntries, { query: { indexingDate, size: 1 }, body: criteria }, 'snapshots', 'tags')
  return found.data?.elements.find(({ fileId }) => fileId === opened.fileId) ?? opened
}
