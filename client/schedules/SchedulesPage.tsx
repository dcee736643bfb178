import { IconCalendarPlus } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { isOpen } from '#events/jobs/states.ts'
import { type Schedule, schedules } from '#events/schedules/calls.ts'
import { call } from '#client/app/call.ts'
import { useLinks } from '#client/app/links.ts'
import { liveJobs, subscribeToJobs } from '#client/app/live/jobs.state.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { activeColumn, schedulesOf, usePause } from '#client/parts/cron/schedules.tsx'
import { SettingsFrame } from '#client/parts/settings/SettingsFrame.tsx'
import { callsOf } from '#client/parts/settings-table/calls.ts'
import type { RowButtons, Rows, SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection, TableIntro } from '#client/parts/settings-table/SettingsTable.tsx'
import { RunAction } from '#client/ui/table/RowActions.tsx'
import { scheduleColumns } from './scheduleColumns.tsx'
import { type ScanDraft, scheduleForm } from './scheduleForm.tsx'

/** The schedules of scans. */
export function SchedulesPage() {
  return (
    <SettingsFrame page="schedules" subtitle="Manage how and when the jobs occur.">
      <Schedules />
    </SettingsFrame>
  )
}

function Schedules() {
  const links = useLinks()
  const rows = useScanSchedules()
  const [switching, pause] = usePause()
  const [starting, run] = useBusy(async ({ id, name }: Schedule, onDone: () => void) => {
    const { jobId } = await call(schedules.run, { params: { id } })
    toast({ kind: 'success', message: `Job ${jobId} of ${name} was started` })
    onDone()
  })
  const busy = switching || starting
  return (
    <SettingsSection
      title="Scan schedules"
      intro={
        <TableIntro>
          <Link href={links.reports()}>Reports</Link> and <Link href={links.alerts()}>alerts</Link> have schedules of
          their own.
        </TableIntro>
      }
      table={{
        ...schedulesTable,
        rows,
        columns: (onDone) => scheduleColumns(activeColumn(busy, pause, onDone)),
        actions: (schedule, buttons) => actionsOf(schedule, buttons, { busy, run }),
      }}
    />
  )
}

const schedulesTable: Omit<SettingsTable<Schedule, ScanDraft>, 'rows' | 'columns'> = {
  label: 'Schedules',
  isQuiet: true,
  empty: { icon: IconCalendarPlus, text: 'No schedules yet. Scans run only when someone starts them.' },
  calls: callsOf(schedules),
  adding: { label: 'Add schedule', link: 'schedule' },
  editing: { label: ({ name }) => `Edit ${name}` },
  opens: { at: 'dialog', size: 'M', title: () => 'Schedule a Job', saves: () => 'Save' },
  form: scheduleForm,
  deletion: {
    label: ({ name }) => `Delete ${name}`,
    title: () => 'Delete Confirmation',
    verb: 'Delete schedule',
    question: ({ name }) => `Are you sure you want to delete schedule ${name}?`,
    deleted: ({ name }) => `Schedule ${name} was deleted`,
    staysOnFailure: true,
  },
}

type RunState = { busy: boolean; run: (schedule: Schedule, onDone: () => void) => void }

function actionsOf(schedule: Schedule, { edit, remove, onDone }: RowButtons, { busy, run }: RunState) {
  const { name, lastRun } = schedule
  const isRunning = lastRun?.jobStatus ? isOpen({ status: lastRun.jobStatus }) : false
  return (
    <>
      <RunAction
        label={`Run ${name} now`}
        whyNot={isRunning ? `Job ${lastRun?.jobId} is still running` : busy && 'Starting …'}
        onClick={() => run(schedule, () => onDone())}
      />
      {edit}
      {remove}
    </>
  )
}

const scanSchedules = schedulesOf({ jobGroup: 'SCANNER' })

/** Scan schedules, with the status of their last jobs updated live. */
function useScanSchedules(): Rows<Schedule> {
  useEffect(subscribeToJobs, [])
  const { rows } = useSnapshot(liveJobs) as typeof liveJobs
  const statusNow = ({ jobId, jobStatus }: NonNullable<Schedule['lastRun']>) =>
    jobStatus && isOpen({ status: jobStatus }) ? (rows.get(jobId ?? 0)?.status ?? jobStatus) : jobStatus
  const withStatus = (schedule: Schedule): Schedule => {
    const { lastRun } = schedule
    return lastRun ? { ...schedule, lastRun: { ...lastRun, jobStatus: statusNow(lastRun) } } : schedule
  }
  return {
    ...scanSchedules,
    pageOf: (answer) => {
      const { elements, total } = scanSchedules.pageOf(answer)
      return { elements: elements.map(withStatus), total }
    },
  }
}
