import { Button } from '@mantine/core'
import { IconEqual } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Comparison } from '#events/comparison.ts'
import type { FolderAtDate } from '#events/folders/calls.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { useLinks } from '#client/app/links.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { type ComparedPlace, useComparisonAddress } from './comparisonAddress.ts'
import { DifferencesCard } from './DifferencesCard.tsx'
import { GrowthCard } from './GrowthCard.tsx'
import { TotalsCard } from './TotalsCard.tsx'
import { useCompared } from './useCompared.ts'
import classes from './Comparison.module.css'

type ComparedDatesProps = {
  place: ComparedPlace
  dates: { previous: string; now: string }
  /** All dates before the later one, newest first. */
  older: readonly string[]
  /** The folder in each snapshot. */
  history: Loadable<FolderAtDate[]>
  choose: (date: string) => void
}

/** Comparison of two dates: totals, parts, and individual entries. */
export function ComparedDates({ place, dates, older, history, choose }: ComparedDatesProps) {
  const [address, changeComparison] = useComparisonAddress()
  const { totals, grown, found } = useCompared(place, dates.previous, address)
  const shared = { place, previousDate: dates.previous, address, changeComparison }
  if (totals.data && isNothing(totals.data) && !totals.error)
    return (
      <Panel title="Changes" busy={totals.loading} again={totals.loading}>
        {/* Until the history has loaded, the folder might not exist. */}
        {history.loading && !history.data ? (
          <Skeleton isInset />
        ) : (
          <NothingDiffers
            place={place}
            dates={dates}
            older={older.find((day) => day < dates.previous)}
            choose={choose}
          />
        )}
      </Panel>
    )
  return (
    <>
      <TotalsCard
        totals={totals}
        dates={dates}
        history={history.data ?? []}
        address={address}
        changeComparison={changeComparison}
      />
      <div className={classes.sides}>
        <GrowthCard {...shared} grown={grown} />
        <DifferencesCard {...shared} found={found} kinds={totals.data?.kinds} />
      </div>
    </>
  )
}

const isNothing = ({ growth, unrecordedGrowth, kinds }: Comparison): boolean =>
  growth === 0 && unrecordedGrowth === 0 && kinds.every(({ files, folders }) => files + folders === 0)

type NothingDiffersProps = {
  place: ComparedPlace
  dates: { previous: string; now: string }
  /** Next older snapshot, if any. */
  older: string | undefined
  choose: (date: string) => void
}

/** Empty state that offers another comparison. */
function NothingDiffers({ place: { volumeId }, dates: { previous, now }, older, choose }: NothingDiffersProps) {
  const links = useLinks()
  const step = () => {
    if (older !== undefined) return <Button onClick={() => choose(older)}>Compare with {older}</Button>
    if (volumeId === undefined) return null
    return (
      <Button component={Link} href={links.comparison({ previousDate: previous })} variant="default">
        Compare all storages
      </Button>
    )
  }
  return (
    <Notice icon={IconEqual} step={step()}>
      Nothing differs between <span className="nowrap">{previous}</span> and <span className="nowrap">{now}</span>.
    </Notice>
  )
}
