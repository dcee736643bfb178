import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { SettingsFrame } from '#client/parts/settings/SettingsFrame.tsx'
import { useInteraction } from '#client/ui/table/useInteraction.ts'
import { CancelJobs } from './actions/CancelJobs.tsx'
import { JobDialog } from './dialog/JobDialog.tsx'
import { JobFilters } from './list/JobFilters.tsx'
import { JobsCard } from './list/JobsCard.tsx'
import { RefreshCountdown } from './list/RefreshCountdown.tsx'
import { RelaunchJob } from './actions/RelaunchJob.tsx'
import { RemoveJob } from './actions/RemoveJob.tsx'
import { RunningJobs } from './running/RunningJobs.tsx'
import { pageSize } from './list/pageSize.state.ts'
import { useJobActions } from './actions/useJobActions.ts'
import { useJobList } from './list/useJobList.ts'
import { isFiltered, useJobsAddress } from './list/jobsAddress.ts'
import { useRunningJobs } from './running/useRunningJobs.ts'

/** Running jobs, and the list of all jobs. */
export function JobsPage() {
  return (
    <SettingsFrame page="jobs" needs="jobs.see" notAllowed="Only users who can start jobs can view them.">
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
    <div className="stack gap-12">
      <div className="row wrap gap-8-16">
        <JobFilters filter={address} onChange={go} />
        <RefreshCountdown isPaused={pendingId('relaunch') !== undefined} onRefresh={refresh} />
        {(list.total > 0 || isFiltered(address)) && (
          <RoleGuard needs="jobs.control">
            <CancelButton onDone={refresh} />
          </RoleGuard>
        )}
      </div>
      <div className="stack gap-12" {...watch}>
        <RunningJobs jobs={running.running} dashboard={running.dashboard} onAction={onAction} onOpen={open} />
        <JobsCard list={list} size={size} address={address} go={go} onAction={onAction} onScrolled={onScrolled} />
      </div>
      <JobDialog id={address.id} onAction={onAction} onClose={() => go({ id: undefined })} />
      <RemoveJob id={pendingId('remove')} onClose={close} />
      <RelaunchJob id={pendingId('relaunch')} onClose={close} />
    </div>
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
