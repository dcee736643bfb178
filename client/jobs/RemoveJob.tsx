import { useState } from 'react'
import { jobs } from '#events/job-calls.ts'
import { call } from '../app/call.ts'
import { toast } from '../app/toasts.ts'
import { useBusy } from '../app/useBusy.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { noteRows } from './jobs.state.ts'

/** Asks before a job is cancelled. */
export function RemoveJob({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  // It is still named while the dialog closes.
  const [last, keep] = useState(id)
  if (id !== undefined && id !== last) keep(id)
  const [busy, remove] = useBusy(async (id: number) => {
    noteRows([await call(jobs.change, { params: { id }, body: { status: 'CANCELLED' } })])
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
