import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { isOpen } from '#events/jobs/events.ts'
import type { ReportJob } from '#events/reports/templates.ts'
import { liveJobs, subscribeToJobs } from '#client/app/live/jobs.state.ts'
import { shareOfResult } from '#client/parts/job-words/jobShare.ts'

/** A job of a report as it is at this moment, and how far it is, of 1, where that is known. */
export function useJobNow(job: ReportJob | undefined): { job: ReportJob | undefined; share: number | undefined } {
  useEffect(subscribeToJobs, [])
  const { rows } = useSnapshot(liveJobs) as typeof liveJobs
  const pushed = job && rows.get(job.id)
  if (!pushed || pushed.updatedAt < job.updatedAt) return { job, share: undefined }
  return { job: pushed, share: shareOfResult(pushed) }
}

/** Whether a run of the report is under way, or waits for its turn. */
export const isUnderWay = (job: ReportJob | undefined): boolean => job !== undefined && isOpen(job)
