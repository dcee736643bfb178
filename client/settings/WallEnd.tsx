import { type WallToken, wallTokens } from '#events/wall.ts'
import { call } from '../app/call.ts'
import { toast } from '../app/toasts.ts'
import { useBusy } from '../app/useBusy.ts'
import { Confirm } from '../ui/Confirm.tsx'

type WallEndProps = { doomed: WallToken | undefined; onClose: () => void; onEnded: () => void }

/** Asks before an address stops working. */
export function WallEnd({ doomed, onClose, onEnded }: WallEndProps) {
  const [busy, end] = useBusy(async ({ id, name }: WallToken) => {
    await call(wallTokens.remove, { params: { id } }).finally(onClose)
    onEnded()
    toast({ kind: 'success', message: `${name} was ended` })
  })
  return (
    <Confirm
      opened={doomed !== undefined}
      title={`End ${doomed?.name ?? ''}`}
      verb="End wall display"
      busy={busy}
      onCancel={onClose}
      onConfirm={() => doomed && end(doomed)}
    >
      Displays that were opened with the address of {doomed?.name} close within seconds, and it opens nothing any more.
    </Confirm>
  )
}
