import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { isOpen } from '#events/jobs/events.ts'
import type { ReportJob } from '#events/reports/templates.ts'
import { liveJobs, subscribeToJobs } from '#client/app/live/jobs.state.ts'
import { shareOfResult } from '#client/parts/job-words/jobShare.ts'

/** Job of a report, updated live, and its progress (0 to 1) if known. */
export function useJobNow(job: ReportJob | undefined): { job: ReportJob | undefined; share: number | undefined } {
  useEffect(subscribeToJobs, [])
  const { rows } = useSnapshot(liveJobs) as typeof liveJobs
  const pushed = job && rows.get(job.id)
  if (!pushed || pushed.updatedAt < job.updatedAt) return { job, share: undefined }
  return { job: pushed, share: shareOfResult(pushed) }
}

/** True while a run is waiting or running. */
export const isUnderWay = (job: ReportJob | undefined): boolean => job !== undefined && isOpen(job)
