import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { type JobType, jobTypeLabels, jobTypes } from '#events/jobs/types.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { SettingsFrame } from '#client/parts/settings/SettingsFrame.tsx'
import { MultiSelect } from '#client/ui/form/MultiSelect.tsx'
import { useInteraction } from '#client/ui/table/useInteraction.ts'
import { CancelJobs } from './actions/CancelJobs.tsx'
import { JobDialog } from './dialog/JobDialog.tsx'
import { JobsCard } from './list/JobsCard.tsx'
import { RefreshCountdown } from './list/RefreshCountdown.tsx'
import { RelaunchJob } from './actions/RelaunchJob.tsx'
import { RemoveJob } from './actions/RemoveJob.tsx'
import { RunningJobs } from './running/RunningJobs.tsx'
import { pageSize } from './list/pageSize.state.ts'
import { useJobActions } from './actions/useJobActions.ts'
import { useJobList } from './list/useJobList.ts'
import { useJobsAddress } from './list/jobsAddress.ts'
import { useRunningJobs } from './running/useRunningJobs.ts'
import classes from './Jobs.module.css'

/** Running jobs, and the list of all jobs. */
export function JobsPage() {
  return (
    <SettingsFrame tab="jobs" title="Jobs" needs="jobs.see" neededRole="a role that may start jobs">
      <Jobs />
    </SettingsFrame>
  )
}

function Jobs() {
  const [address, go] = useJobsAddress()
  const { size } = useSnapshot(pageSize)
  const { isHeld, onScrolled, watch } = useInteraction()
  const list = useJobList(address, size, isHeld)
  const running = useRunningJobs(list.rows, isHeld)
  const { onAction, pending, close } = useJobActions()
  const pendingId = (action: string) => (pending?.action === action ? pending.id : undefined)
  const open = (id: number) => go({ id: String(id) })
  const refresh = () => {
    list.refresh()
    running.refresh()
  }
  return (
    <div className={classes.page}>
      <div className={classes.toolbar}>
        <TypeFilter types={address.types} onChange={(types) => go({ types })} />
        <RefreshCountdown isPaused={pendingId('relaunch') !== undefined} onRefresh={refresh} />
        <RoleGuard needs="jobs.control">
          <CancelButton onDone={refresh} />
        </RoleGuard>
      </div>
      <div className={classes.lists} {...watch}>
        <RunningJobs jobs={running.running} dashboard={running.dashboard} onAction={onAction} onOpen={open} />
        <JobsCard list={list} size={size} address={address} go={go} onAction={onAction} onScrolled={onScrolled} />
      </div>
      <JobDialog id={address.id} onAction={onAction} onClose={() => go({ id: undefined })} />
      <RemoveJob id={pendingId('remove')} onClose={close} />
      <RelaunchJob id={pendingId('relaunch')} onClose={close} />
    </div>
  )
}

type TypeFilterProps = { types: readonly JobType[]; onChange: (types: JobType[]) => void }
const typeOptions = jobTypes.map((value) => ({ value, label: jobTypeLabels[value] }))

function TypeFilter({ types, onChange }: TypeFilterProps) {
  return (
    <MultiSelect
      label="Filter jobs by type"
      allLabel="Select all job types"
      options={typeOptions}
      chosen={types}
      onChange={onChange}
    />
  )
}

function CancelButton({ onDone }: { onDone: () => void }) {
  const [opened, open] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => open(true)}>
        Cancel Jobs
      </Button>
      <CancelJobs opened={opened} onClose={() => open(false)} onDone={onDone} />
    </>
  )
}
