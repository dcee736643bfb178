import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { type JobType, jobTypeLabels, jobTypes } from '#events/job-types.ts'
import { RoleGuard } from '../app/shell/RoleGuard.tsx'
import { SettingsFrame } from '../parts/settings/SettingsFrame.tsx'
import { MultiSelect } from '../ui/MultiSelect.tsx'
import { useHand } from '../ui/useHand.ts'
import { CancelJobs } from './CancelJobs.tsx'
import { JobDialog } from './JobDialog.tsx'
import { JobsCard } from './JobsCard.tsx'
import { RefreshCountdown } from './RefreshCountdown.tsx'
import { RelaunchJob } from './RelaunchJob.tsx'
import { RemoveJob } from './RemoveJob.tsx'
import { RunningJobs } from './RunningJobs.tsx'
import { pageSize } from './pageSize.state.ts'
import { useJobDeeds } from './useJobDeeds.ts'
import { useJobList } from './useJobList.ts'
import { useJobsAddress } from './useJobsAddress.ts'
import { useRunningJobs } from './useRunningJobs.ts'
import classes from './Jobs.module.css'

/** The jobs: what runs, and all there were. */
export function JobsPage() {
  return (
    <SettingsFrame tab="jobs" title="Jobs" needs="jobs.see">
      <Jobs />
    </SettingsFrame>
  )
}

function Jobs() {
  const [address, go] = useJobsAddress()
  const { size } = useSnapshot(pageSize)
  const { isHeld, onScrolled, watch } = useHand()
  const list = useJobList(address, size, isHeld)
  const running = useRunningJobs(list.rows, isHeld)
  const { deeds, asked, close } = useJobDeeds()
  const asking = (deed: string) => (asked?.deed === deed ? asked.id : undefined)
  const open = (id: number) => go({ id: String(id) })
  const refresh = () => {
    list.refresh()
    running.refresh()
  }
  return (
    <div className={classes.page}>
      <div className={classes.toolbar}>
        <TypeFilter types={address.types} onChange={(types) => go({ types })} />
        <RefreshCountdown isPaused={asking('relaunch') !== undefined} onRefresh={refresh} />
        <RoleGuard needs="jobs.control">
          <CancelButton onDone={refresh} />
        </RoleGuard>
      </div>
      <div className={classes.lists} {...watch}>
        <RunningJobs jobs={running.running} dashboard={running.dashboard} deeds={deeds} onOpen={open} />
        <JobsCard list={list} size={size} address={address} go={go} deeds={deeds} onScrolled={onScrolled} />
      </div>
      <JobDialog id={address.id} deeds={deeds} onClose={() => go({ id: undefined })} />
      <RemoveJob id={asking('remove')} onClose={close} />
      <RelaunchJob id={asking('relaunch')} onClose={close} />
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
