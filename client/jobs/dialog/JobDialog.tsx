import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import { failureOf } from '#events/contract/endpoint.ts'
import { type JobDetails, jobs } from '#events/jobs/calls.ts'
import { jobTypeLabels } from '#events/jobs/types.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { CallError } from '#client/app/call.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { useFollowedJob } from '#client/parts/followed-job/useFollowedJob.ts'
import type { JobActionHandler } from '#client/jobs/actions/JobActions.tsx'
import { type Tab, Tabs } from '#client/ui/Tabs.tsx'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { countText } from '#client/ui/text/count.ts'
import { EventsTab } from './EventsTab.tsx'
import { JobTab } from './JobTab.tsx'
import { TasksTab } from './TasksTab.tsx'
import classes from './JobDialog.module.css'

type JobDialogProps = { id: string | undefined; onAction: JobActionHandler; onClose: () => void }

/** Details of a job. Open while the URL contains its id. */
export function JobDialog({ id, onAction, onClose }: JobDialogProps) {
  // Keeps the job while the dialog closes.
  const [last, keep] = useState(id)
  if (id !== undefined && id !== last) keep(id)
  const isNumber = last !== undefined && /^[1-9]\d{0,14}$/.test(last)
  return (
    <>
      {id !== undefined && !isNumber && <Unknown id={id} onClose={onClose} />}
      {isNumber && (
        <OneJob key={last} id={Number(last)} opened={id !== undefined} onAction={onAction} onClose={onClose} />
      )}
    </>
  )
}

/** Shows a toast that the job doesn't exist, once, and closes. */
function Unknown({ id, onClose }: { id: string; onClose: () => void }) {
  const leave = useEffectEvent(() => {
    toast({ kind: 'danger', message: failureOf(jobs.one, { params: { id } }) })
    onClose()
  })
  useEffect(() => leave(), [])
  return null
}

type OneJobProps = { id: number; opened: boolean; onAction: JobActionHandler; onClose: () => void }

function OneJob({ id, opened, onAction, onClose }: OneJobProps) {
  const { data: job, error, loading, retry, events } = useFollowedJob(id)
  const isUnknown = !job && !loading && error instanceof CallError && isRefused(error)
  useFailureToast(isUnknown || loading ? undefined : error)
  if (isUnknown) return opened && <Unknown id={String(id)} onClose={onClose} />
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size="L"
      title={job ? `Job ${id} · ${jobTypeLabels[job.type]}` : `Job ${id}`}
    >
      <div className={classes.content}>
        {job ? (
          <Sides job={job} events={events} onAction={onAction} />
        ) : error && !loading ? (
          <Failure error={error} retry={retry} />
        ) : (
          <Skeleton rows={8} />
        )}
      </div>
    </Dialog>
  )
}

const isRefused = ({ status }: CallError) => status === 404 || status === 400

type Side = 'job' | 'tasks' | 'events'
type SidesProps = { job: JobDetails; events: ReturnType<typeof useFollowedJob>['events']; onAction: JobActionHandler }

function Sides({ job, events, onAction }: SidesProps) {
  const [side, show] = useState<Side>(job.status === 'RUNNING' ? 'tasks' : 'job')
  const [chosen, choose] = useState<number>()
  const showTask = (taskId: number) => {
    choose(taskId)
    show('tasks')
  }
  const user = useSnapshot(session).user as CurrentUser | undefined
  const history: Tab<Side> = {
    key: 'events',
    title: 'Events',
    note: countText(job.version),
    content: <EventsTab job={job} news={events} />,
  }
  const tabs: Tab<Side>[] = [
    { key: 'job', title: 'Job', content: <JobTab job={job} onAction={onAction} onTask={showTask} /> },
    {
      key: 'tasks',
      title: 'Tasks',
      note: countText(job.tasks.length),
      content: <TasksTab job={job} chosen={chosen} onChoose={choose} />,
    },
    ...(userMay(user, 'events.see') ? [history] : []),
  ]
  return <Tabs label={`Job ${job.id}`} tabs={tabs} shown={side} onShow={show} />
}
