import { type Schedule, schedules } from '#events/schedules.ts'
import { call } from '../app/call.ts'
import { toast } from '../app/toasts.ts'
import { useBusy } from '../app/useBusy.ts'
import { Confirm } from '../ui/Confirm.tsx'

type DeleteScheduleProps = { doomed: Schedule | undefined; onClose: () => void; onDeleted: () => void }

/** Asks before a schedule goes. */
export function DeleteSchedule({ doomed, onClose, onDeleted }: DeleteScheduleProps) {
  const [busy, remove] = useBusy(async ({ id, name }: Schedule) => {
    await call(schedules.remove, { params: { id } })
    onClose()
    onDeleted()
    toast({ kind: 'success', message: `Schedule ${name} was deleted` })
  })
  return (
    <Confirm
      opened={doomed !== undefined}
      title="Delete Confirmation"
      verb="Delete schedule"
      busy={busy}
      onCancel={onClose}
      onConfirm={() => doomed && remove(doomed)}
    >
      Are you sure you want to delete schedule {doomed?.name}?
    </Confirm>
  )
}
