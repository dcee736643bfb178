import { useEffect, useEffectEvent, useState } from 'react'
import { failureOf } from '#events/endpoint.ts'
import { type JobDetails, jobs } from '#events/job-calls.ts'
import { jobTypeLabels } from '#events/job-types.ts'
import { CallError } from '../app/call.ts'
import { toast } from '../app/toasts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Failure } from '../ui/Failure.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { type Tab, Tabs } from '../ui/Tabs.tsx'
import { countText } from '../ui/text/count.ts'
import { EventsTab } from './EventsTab.tsx'
import type { JobDeeds } from './JobActions.tsx'
import { JobTab } from './JobTab.tsx'
import { TasksTab } from './TasksTab.tsx'
import { useJob } from './useJob.ts'

type JobDialogProps = { id: string | undefined; deeds: JobDeeds; onClose: () => void }

/** All there is to know of a job. It stands open for as long as the address names the job. */
export function JobDialog({ id, deeds, onClose }: JobDialogProps) {
  // The job is still shown while the dialog closes.
  const [last, keep] = useState(id)
  if (id !== undefined && id !== last) keep(id)
  const isNumber = last !== undefined && /^[1-9]\d{0,14}$/.test(last)
  return (
    <>
      {id !== undefined && !isNumber && <Unknown id={id} onClose={onClose} />}
      {isNumber && <OneJob key={last} id={Number(last)} opened={id !== undefined} deeds={deeds} onClose={onClose} />}
    </>
  )
}

/** Says that there is no such job, once, and leaves. */
function Unknown({ id, onClose }: { id: string; onClose: () => void }) {
  const leave = useEffectEvent(() => {
    toast({ kind: 'danger', message: failureOf(jobs.one, { params: { id } }) })
    onClose()
  })
  useEffect(() => leave(), [])
  return null
}

type OneJobProps = { id: number; opened: boolean; deeds: JobDeeds; onClose: () => void }

function OneJob({ id, opened, deeds, onClose }: OneJobProps) {
  const { data: job, error, loading, retry, events } = useJob(id)
  const isUnknown = !job && !loading && error instanceof CallError && isRefused(error)
  if (isUnknown) return opened && <Unknown id={String(id)} onClose={onClose} />
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size="L"
      title={job ? `Job ${id} · ${jobTypeLabels[job.type]}` : `Job ${id}`}
    >
      {job ? (
        <Sides job={job} events={events} deeds={deeds} />
      ) : error && !loading ? (
        <Failure error={error} retry={retry} />
      ) : (
        <Skeleton rows={8} />
      )}
    </Dialog>
  )
}

const isRefused = ({ status }: CallError) => status === 404 || status === 400

type Side = 'job' | 'tasks' | 'events'
type SidesProps = { job: JobDetails; events: ReturnType<typeof useJob>['events']; deeds: JobDeeds }

function Sides({ job, events, deeds }: SidesProps) {
  const [side, show] = useState<Side>(job.status === 'RUNNING' ? 'tasks' : 'job')
  const tabs: Tab<Side>[] = [
    { key: 'job', title: 'Job', content: <JobTab job={job} deeds={deeds} /> },
    { key: 'tasks', title: 'Tasks', note: countText(job.tasks.length), content: <TasksTab job={job} /> },
    { key: 'events', title: 'Events', note: countText(job.version), content: <EventsTab job={job} news={events} /> },
  ]
  return <Tabs label={`Job ${job.id}`} tabs={tabs} shown={side} onShow={show} />
}
