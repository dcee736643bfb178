import { type WallToken, wallTokens } from '#events/wall.ts'
import { call } from '../../app/call.ts'
import { ConfirmDeletion } from '../../parts/deletion/ConfirmDeletion.tsx'

type WallEndProps = { doomed: WallToken | undefined; onClose: () => void; onEnded: () => void }

/** Asks before an address stops working. */
export function WallEnd({ doomed, onClose, onEnded }: WallEndProps) {
  return (
    <ConfirmDeletion
      doomed={doomed}
      onClose={onClose}
      onDeleted={onEnded}
      title={`End ${doomed?.name ?? ''}`}
      verb="End wall display"
      remove={({ id }) => call(wallTokens.remove, { params: { id } }).finally(onClose)}
      gone={({ name }) => `${name} was ended`}
    >
      Displays that were opened with the address of {doomed?.name} close within seconds, and it opens nothing any more.
    </ConfirmDeletion>
  )
}
