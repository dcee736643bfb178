import { Button } from '@mantine/core'
import { IconFilterOff, IconProgress } from '@tabler/icons-react'
import { Link } from 'wouter'
import { jobTypes } from '#events/jobs/types.ts'
import { useLinks } from '#client/app/links.ts'
import type { JobActionHandler } from '#client/jobs/actions/JobActions.tsx'
import { Card } from '#client/ui/Card.tsx'
import { LiveRegion } from '#client/ui/feedback/LiveRegion.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { countText, counted } from '#client/ui/text/count.ts'
import { JobsTable, WaitingRows } from './JobsTable.tsx'
import type { JobsAddress } from './jobsAddress.ts'
import type { useJobList } from './useJobList.ts'
import classes from '#client/jobs/Jobs.module.css'

type JobsCardProps = {
  list: ReturnType<typeof useJobList>
  size: number
  address: JobsAddress
  go: (change: Partial<JobsAddress>) => void
  onAction: JobActionHandler
  onScrolled: (isScrolled: boolean) => void
}

export function JobsCard({ list, address, go, ...table }: JobsCardProps) {
  const { rows, total, isKnown, isWaiting, arrived, release } = list
  const showAll = <Button onClick={() => go({ types: [...jobTypes] })}>Select all job types</Button>
  if (address.types.length === 0) {
    return (
      <Notice icon={IconFilterOff} step={showAll}>
        No job type is selected.
      </Notice>
    )
  }
  return (
    <div className={classes.listed}>
      <Card
        title="All jobs"
        note={isKnown && countText(total)}
        remote={{ ...list.list, data: isKnown ? rows : undefined }}
        skeleton={<Skeleton rows={12} />}
      >
        {() =>
          total === 0 ? (
            <NoJobs isFiltered={address.types.length < jobTypes.length} step={showAll} />
          ) : (
            <JobsTable rows={rows} total={total} address={address} go={go} {...table} />
          )
        }
      </Card>
      {isWaiting && <WaitingRows arrived={arrived} onShow={release} />}
      <LiveRegion sentence={isKnown ? `${counted(total, 'job')}, ${arrived} new` : ''} />
    </div>
  )
}

function NoJobs({ isFiltered, step }: { isFiltered: boolean; step: React.ReactNode }) {
  const links = useLinks()
  if (isFiltered) {
    return (
      <Notice icon={IconFilterOff} step={step}>
        There are no jobs of the selected types.
      </Notice>
    )
  }
  return (
    <Notice
      icon={IconProgress}
      step={
        <Button component={Link} href={links.settingsData()} variant="default">
          Choose what to scan
        </Button>
      }
    >
      There are no jobs yet.
    </Notice>
  )
}
