import { Button } from '@mantine/core'
import { IconCalendarPlus, IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { isOpen } from '#events/jobs/states.ts'
import { type Schedule, type ScheduleDraft, schedules } from '#events/schedules/calls.ts'
import { call } from '#client/app/call.ts'
import { liveJobs, subscribeToJobs } from '#client/app/live/jobs.state.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useOpenedForm } from '#client/app/useOpenedForm.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { SettingsFrame } from '#client/parts/settings/SettingsFrame.tsx'
import { Card } from '#client/ui/Card.tsx'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { countText } from '#client/ui/text/count.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { ScheduleForm } from './ScheduleForm.tsx'
import { scheduleColumns } from './scheduleColumns.tsx'

/** The schedules of scans. */
export function SchedulesPage() {
  return (
    <SettingsFrame page="schedules" subtitle="Manage how and when the jobs occur.">
      <Schedules />
    </SettingsFrame>
  )
}

function Schedules() {
  const list = useSchedules()
  const [edited, edit] = useOpenedForm<Schedule>()
  const [deleting, setDeleting] = useState<Schedule>()
  const [switching, pause] = useBusy(async (schedule: Schedule, paused: boolean) => {
    const { id, nextRuns: _, lastRun: __, ...draft } = schedule
    await call(schedules.update, { params: { id }, body: { ...draft, paused } as ScheduleDraft })
    list.retry()
  })
  const [starting, run] = useBusy(async ({ id, name }: Schedule) => {
    const { jobId } = await call(schedules.run, { params: { id } })
    toast({ kind: 'success', message: `Job ${jobId} of ${name} was started` })
    list.retry()
  })
  const columns = scheduleColumns({ edit, remove: setDeleting, pause, run, switching: switching || starting })
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} variant="default" onClick={() => edit('new')}>
      Add schedule
    </Button>
  )
  return (
    <>
      <Card title="Scan schedules" note={list.data && countText(list.data.length)} remote={list}>
        {(rows) => (
          <DataTable
            label="Schedules"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            empty={
              <Notice icon={IconCalendarPlus} step={add}>
                No schedules yet. Scans run only when someone starts them.
              </Notice>
            }
            footer={add}
          />
        )}
      </Card>
      <ScheduleForm edited={edited} onClose={() => edit(undefined)} onSaved={list.retry} />
      <DeleteSchedule deleting={deleting} onClose={() => setDeleting(undefined)} onDeleted={list.retry} />
    </>
  )
}

/** Scan schedules, with the status of their last jobs updated live. */
function useSchedules(): Loadable<Schedule[]> {
  useEffect(subscribeToJobs, [])
  const { rows } = useSnapshot(liveJobs) as typeof liveJobs
  const list = useRemote(schedules.list, { query: { jobGroup: 'SCANNER' } }, 'schedules')
  const statusNow = ({ jobId, jobStatus }: NonNullable<Schedule['lastRun']>) =>
    jobStatus && isOpen({ status: jobStatus }) ? (rows.get(jobId ?? 0)?.status ?? jobStatus) : jobStatus
  return {
    ...list,
    data: list.data?.map((schedule) =>
      schedule.lastRun
        ? { ...schedule, lastRun: { ...schedule.lastRun, jobStatus: statusNow(schedule.lastRun) } }
        : schedule,
    ),
  }
}

type DeleteScheduleProps = { deleting: Schedule | undefined; onClose: () => void; onDeleted: () => void }

/** Confirms the deletion of a schedule. */
function DeleteSchedule(props: DeleteScheduleProps) {
  return (
    <ConfirmDeletion
      {...props}
      title="Delete Confirmation"
      verb="Delete schedule"
      remove={({ id }) => call(schedules.remove, { params: { id } })}
      deletedText={({ name }) => `Schedule ${name} was deleted`}
    >
      Are you sure you want to delete schedule {props.deleting?.name}?
    </ConfirmDeletion>
  )
}
