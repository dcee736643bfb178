import { useCallback, useState } from 'react'
import { useSnapshot } from 'valtio'
import { type JobRow, jobs } from '#events/jobs/calls.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { call } from '#client/app/call.ts'
import { noteJobs } from '#client/app/live/jobs.state.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import type { JobAction, JobActionHandler } from './JobActions.tsx'

/** Job actions, and the job of the open confirmation dialog. */
export function useJobActions() {
  const { user } = useSnapshot(session)
  const [pending, setPending] = useState<{ action: JobAction; id: number }>()
  const act = useCallback((action: JobAction, job: JobRow) => {
    if (action === 'pause') void put(job, 'WAITING')
    else if (action === 'resume') void put(job, 'AVAILABLE')
    else setPending({ action, id: job.id })
  }, [])
  const onAction: JobActionHandler = userMay(user as CurrentUser | undefined, 'jobs.control') ? act : undefined
  return { onAction, pending, close: () => setPending(undefined) }
}

const put = ({ id }: JobRow, status: 'WAITING' | 'AVAILABLE') =>
  call(jobs.change, { params: { id }, body: { status } }).then((job) => noteJobs([job]), toastFailure)
