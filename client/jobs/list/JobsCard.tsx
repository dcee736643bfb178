import { Button } from '@mantine/core'
import { IconFilterOff, IconProgress } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import type { CurrentUser } from '#events/users/session.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { useLinks } from '#client/app/links.ts'
import type { JobActionHandler } from '#client/jobs/actions/JobActions.tsx'
import { Card } from '#client/ui/Card.tsx'
import { LiveRegion } from '#client/ui/feedback/LiveRegion.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { countText, counted } from '#client/ui/text/count.ts'
import { JobsTable, WaitingRows } from './JobsTable.tsx'
import { isFiltered, type JobsAddress, noFilter } from './jobsAddress.ts'
import type { useJobList } from './useJobList.ts'

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
  const missing = missingChoice(address)
  if (missing) return <NoJobs sentence={missing} onShowAll={() => go(noFilter)} />
  return (
    <div className="relative">
      <Card
        title="All jobs"
        note={isKnown && countText(total)}
        remote={{ ...list.list, data: isKnown ? rows : undefined }}
        skeleton={<Skeleton rows={12} />}
      >
        {() =>
          total === 0 ? (
            <NoJobs
              sentence={isFiltered(address) ? 'No jobs match these filters.' : undefined}
              onShowAll={() => go(noFilter)}
            />
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

/** Names a filter in which nothing is selected. */
function missingChoice({ types, statuses, agents }: JobsAddress): string | undefined {
  if (types.length === 0) return 'No job type is selected.'
  if (statuses.length === 0) return 'No status is selected.'
  return agents?.length === 0 ? 'No agent is selected.' : undefined
}

/** `sentence` explains why filters leave no job; undefined without filters. */
function NoJobs({ sentence, onShowAll }: { sentence: string | undefined; onShowAll: () => void }) {
  const links = useLinks()
  const user = useSnapshot(session).user as CurrentUser | undefined
  if (sentence) {
    return (
      <Notice icon={IconFilterOff} step={<Button onClick={onShowAll}>Clear filters</Button>}>
        {sentence}
      </Notice>
    )
  }
  if (!userMay(user, 'jobs.seeAll'))
    return (
      <Notice icon={IconProgress}>
        None of your jobs are here yet. Only administrators see the jobs of other users.
      </Notice>
    )
  return (
    <Notice
      icon={IconProgress}
      step={
        <Button component={Link} href={links.settings('data')} variant="default">
          Add storage
        </Button>
      }
    >
      There are no jobs yet.
    </Notice>
  )
}
