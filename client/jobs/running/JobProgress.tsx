import type { JobRow } from '#events/jobs/calls.ts'
import { useLiveDashboard } from '#client/app/live/dashboard.state.ts'
import { ProgressBar } from '#client/ui/feedback/ProgressBar.tsx'
import { percentText } from '#client/ui/text/count.ts'
import { shareOfJob } from './runningScans.ts'
import classes from '#client/jobs/Jobs.module.css'

/** Progress of a running job in its row. */
export function JobProgress({ job }: { job: JobRow }) {
  const { data } = useLiveDashboard()
  const share = shareOfJob(data, job)
  return (
    <span className={classes.progress}>
      <ProgressBar share={share} label={`Share of job ${job.id} that is done`} />
      {share !== undefined && percentText(share)}
    </span>
  )
}
