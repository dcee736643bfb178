import { planRest } from '#events/actions/plans.ts'
import { type JobType, jobTypeLabels } from '#events/jobs/types.ts'
import { call } from '#client/app/call.ts'
import { PlanWizard } from './PlanWizard.tsx'
import { useLoaded } from './useLoaded.ts'

const texts = {
  started: 'A job for the remaining files is now running.',
  failure: 'Something went wrong while trying to start the job. Please try again.',
}

type RelaunchActionProps = { job: { id: number; type: JobType }; onClose: () => void }

/** Reviews and starts the action of an ended job again, for the files that it is not done with. */
export function RelaunchAction({ job: { id, type }, onClose }: RelaunchActionProps) {
  const plan = useLoaded(`${id}`, (signal) => call(planRest, { params: { id } }, signal))
  return (
    <PlanWizard
      title={`Relaunch job ${id}`}
      verb="Start"
      plan={plan}
      rows={[['Action', jobTypeLabels[type]]]}
      texts={texts}
      onClose={onClose}
    />
  )
}
