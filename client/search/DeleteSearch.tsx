import { type SavedSearch, savedSearches } from '#events/saved-searches.ts'
import { call } from '../app/call.ts'
import { toast } from '../app/toasts.ts'
import { useBusy } from '../app/useBusy.ts'
import { Confirm } from '../ui/Confirm.tsx'

/** Asks before a saved search is deleted. */
export function DeleteSearch({ doomed, onClose }: { doomed: SavedSearch | undefined; onClose: () => void }) {
  const [busy, remove] = useBusy(async ({ id, name }: SavedSearch) => {
    await call(savedSearches.remove, { params: { id } })
    onClose()
    toast({ kind: 'success', message: `Search ${name} was deleted` })
  })
  return (
    <Confirm
      opened={doomed !== undefined}
      title="Delete the saved search"
      verb="Delete search"
      busy={busy}
      onConfirm={() => doomed && remove(doomed)}
      onCancel={onClose}
    >
      {`Are you sure you want to delete search ${doomed?.name ?? ''}?`}
      {doomed?.isShared && ' It is shared: nobody will find it any more.'}
    </Confirm>
  )
}
