import type { Comparison } from '#events/comparison.ts'
import type { FolderAtDate } from '#events/folders.ts'
import type { Loadable } from '../ui/loadable.ts'
import { Panel } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import type { ComparedPlace } from './comparisonAddress.ts'
import { DifferencesCard } from './DifferencesCard.tsx'
import { GrowthCard } from './GrowthCard.tsx'
import { NothingDiffers } from './NothingDiffers.tsx'
import { TotalsCard } from './TotalsCard.tsx'
import { useCompared } from './useCompared.ts'
import { useComparisonAddress } from './useComparisonAddress.ts'
import classes from './Comparison.module.css'

type ComparedDatesProps = {
  place: ComparedPlace
  dates: { previous: string; now: string }
  /** All days before the later one, newest first. */
  older: readonly string[]
  /** The folder as each snapshot has it. */
  history: Loadable<FolderAtDate[]>
  choose: (date: string) => void
}

/** The two dates beside each other: in all, by part, and entry by entry. */
export function ComparedDates({ place, dates, older, history, choose }: ComparedDatesProps) {
  const [address, go] = useComparisonAddress()
  const { totals, grown, found } = useCompared(place, dates.previous, address)
  const asked = { place, previousDate: dates.previous, address, go }
  if (totals.data && isNothing(totals.data) && !totals.error)
    return (
      <Panel title="Changes" busy={totals.loading} again={totals.loading}>
        {/* Until then it might be a folder that never was. */}
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
      <TotalsCard totals={totals} dates={dates} history={history.data ?? []} address={address} go={go} />
      <div className={classes.sides}>
        <GrowthCard {...asked} grown={grown} />
        <DifferencesCard {...asked} found={found} kinds={totals.data?.kinds} />
      </div>
    </>
  )
}

const isNothing = ({ growth, unrecordedGrowth, kinds }: Comparison): boolean =>
  growth === 0 && unrecordedGrowth === 0 && kinds.every(({ files, folders }) => files + folders === 0)
