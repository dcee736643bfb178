import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { type CancellableStatus, cancelJobs } from './cancelJobs.ts'

type CancelJobsProps = { opened: boolean; onClose: () => void; onDone: () => void }

/** Dialog that cancels all waiting jobs, all running jobs, or both. */
export function CancelJobs({ opened, onClose, onDone }: CancelJobsProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Cancel Jobs">
      {opened && <Choices onClose={onClose} onDone={onDone} />}
    </Dialog>
  )
}

const choices: { state: CancellableStatus; label: string; description: string }[] = [
  { state: 'WAITING', label: 'Waiting jobs', description: 'New, available and paused jobs will not start' },
  { state: 'RUNNING', label: 'Running jobs', description: 'Running jobs stop; a cancelled scan leaves no snapshot' },
]

function Choices({ onClose, onDone }: Omit<CancelJobsProps, 'opened'>) {
  const [chosen, choose] = useState<CancellableStatus[]>([])
  const [busy, cancel] = useBusy(async () => {
    const states = choices.map(({ state }) => state).filter((state) => chosen.includes(state))
    toast(await cancelJobs(states))
    onClose()
    onDone()
  })
  return (
    <>
      <p className="muted">Which jobs should be cancelled?</p>
      <div className="stack gap-12 top-12">
        {choices.map(({ state, label, description }) => (
          <Checkbox
            key={state}
            label={label}
            description={description}
            checked={chosen.includes(state)}
            disabled={busy}
            onChange={({ currentTarget }) =>
              choose(currentTarget.checked ? [...chosen, state] : chosen.filter((one) => one !== state))
            }
          />
        ))}
      </div>
      <div className="flex end gap-8 top-24">
        <Button variant="default" data-autofocus onClick={onClose} disabled={busy}>
          Close
        </Button>
        <Button color="danger" disabled={chosen.length === 0} loading={busy} onClick={() => cancel()}>
          Cancel jobs
        </Button>
      </div>
    </>
  )
}
