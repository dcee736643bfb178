import { type Schedule, schedules } from '#events/schedules.ts'
import { call } from '../app/call.ts'
import { ConfirmDeletion } from '../parts/deletion/ConfirmDeletion.tsx'

type DeleteScheduleProps = { doomed: Schedule | undefined; onClose: () => void; onDeleted: () => void }

/** Asks before a schedule goes. */
export function DeleteSchedule(props: DeleteScheduleProps) {
  return (
    <ConfirmDeletion
      {...props}
      title="Delete Confirmation"
      verb="Delete schedule"
      remove={({ id }) => call(schedules.remove, { params: { id } })}
      gone={({ name }) => `Schedule ${name} was deleted`}
    >
      Are you sure you want to delete schedule {props.doomed?.name}?
    </ConfirmDeletion>
  )
}
