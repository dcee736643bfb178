import { type SavedSearch, savedSearches } from '#events/saved-searches.ts'
import { call } from '../app/call.ts'
import { ConfirmDeletion } from '../parts/deletion/ConfirmDeletion.tsx'

/** Asks before a saved search is deleted. */
export function DeleteSearch({ doomed, onClose }: { doomed: SavedSearch | undefined; onClose: () => void }) {
  return (
    <ConfirmDeletion
      doomed={doomed}
      onClose={onClose}
      title="Delete the saved search"
      verb="Delete search"
      remove={({ id }) => call(savedSearches.remove, { params: { id } })}
      gone={({ name }) => `Search ${name} was deleted`}
    >
      {`Are you sure you want to delete search ${doomed?.name ?? ''}?`}
      {doomed?.isShared && ' It is shared: nobody will find it any more.'}
    </ConfirmDeletion>
  )
}
