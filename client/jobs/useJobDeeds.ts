import { useCallback, useState } from 'react'
import { useSnapshot } from 'valtio'
import { type JobRow, jobs } from '#events/job-calls.ts'
import type { CurrentUser } from '#events/session.ts'
import { call } from '../app/call.ts'
import { session, userMay } from '../app/session.state.ts'
import { toastFailure } from '../app/toasts.ts'
import type { JobDeed, JobDeeds } from './JobActions.tsx'
import { noteRows } from './jobs.state.ts'

/** What can be done to jobs, and the job that a dialog asks about meanwhile. */
export function useJobDeeds() {
  const { user } = useSnapshot(session)
  const [asked, ask] = useState<{ deed: JobDeed; id: number }>()
  const act = useCallback((deed: JobDeed, job: JobRow) => {
    if (deed === 'pause') void put(job, 'WAITING')
    else if (deed === 'resume') void put(job, 'AVAILABLE')
    else ask({ deed, id: job.id })
  }, [])
  const deeds: JobDeeds = userMay(user as CurrentUser | undefined, 'jobs.control') ? act : undefined
  return { deeds, asked, close: () => ask(undefined) }
}

const put = ({ id }: JobRow, status: 'WAITING' | 'AVAILABLE') =>
  call(jobs.change, { params: { id }, body: { status } }).then((job) => noteRows([job]), toastFailure)
