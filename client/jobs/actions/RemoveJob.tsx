import { useState } from 'react'
import { jobs } from '#events/jobs/calls.ts'
import { call } from '#client/app/call.ts'
import { noteJobs } from '#client/app/live/jobs.state.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Confirm } from '#client/ui/form/Confirm.tsx'

/** Confirms cancelling a job. */
export function RemoveJob({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  // Keeps the id while the dialog closes.
  const [last, keep] = useState(id)
  if (id !== undefined && id !== last) keep(id)
  const [busy, remove] = useBusy(async (id: number) => {
    noteJobs([await call(jobs.change, { params: { id }, body: { status: 'CANCELLED' } })])
    onClose()
    toast({ kind: 'success', message: 'Job was cancelled successfully' })
  })
  return (
    <Confirm
      opened={id !== undefined}
      title="Remove Confirmation"
      verb="Remove job"
      busy={busy}
      onCancel={onClose}
      onConfirm={() => id !== undefined && remove(id)}
    >
      {`Are you sure you want to remove from queue the job with id ${last}?`}
    </Confirm>
  )
}
