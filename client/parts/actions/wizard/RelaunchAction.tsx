import { useState } from 'react'
import { planRest } from '#events/actions/plans.ts'
import { type ActionJobType, jobTypeLabels } from '#events/jobs/types.ts'
import { call } from '#client/app/call.ts'
import { Wizard } from '#client/ui/form/Wizard.tsx'
import { startAction } from './ActionWizard.tsx'
import { ReviewStep } from './ReviewStep.tsx'
import { useLoaded } from './useLoaded.ts'

const texts = {
  started: 'A job for the remaining files is now running.',
  failure: 'Something went wrong while trying to start the job. Please try again.',
}

type RelaunchActionProps = { job: { id: number; type: ActionJobType }; onClose: () => void }

/** Reviews and starts the action of an ended job again, for the files that it is not done with. */
export function RelaunchAction({ job: { id, type }, onClose }: RelaunchActionProps) {
  const plan = useLoaded(`${id}`, (signal) => call(planRest, { params: { id } }, signal))
  const [busy, setBusy] = useState(false)
  const start = async (planId: number) => {
    setBusy(true)
    await startAction(planId, texts)
    onClose()
  }
  const review = {
    title: 'Review',
    isValid: plan.data !== undefined && plan.data.files > 0,
    content: (
      <ReviewStep
        plan={plan}
        notices={null}
        rows={[['Action', jobTypeLabels[type]]]}
        options={null}
        warnings={null}
        confirmation={undefined}
        isConfirmed
        onConfirm={() => undefined}
        busy={busy}
      />
    ),
  }
  return (
    <Wizard
      title={`Relaunch job ${id}`}
      verb="Start"
      steps={[review]}
      at={0}
      onStep={() => undefined}
      busy={busy}
      onSave={() => plan.data && void start(plan.data.id)}
      onClose={onClose}
    />
  )
}
