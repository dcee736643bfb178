import { IconAlertTriangle } from '@tabler/icons-react'
import type { Comparison } from '#events/comparison.ts'
import type { FolderAtDate } from '#events/folders.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { Card } from '../ui/Card.tsx'
import { Chip } from '../ui/Chip.tsx'
import { Size } from '../ui/Size.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Change } from './Change.tsx'
import { type ComparisonAddress, toggled } from './comparisonAddress.ts'
import { KindTile } from './KindTile.tsx'
import type { Compared } from './useCompared.ts'
import type { Go } from './useComparisonAddress.ts'
import classes from './Totals.module.css'

type TotalsCardProps = {
  totals: Compared['totals']
  dates: { previous: string; now: string }
  history: readonly FolderAtDate[]
  address: ComparisonAddress
  go: Go
}

/** By how much all grew, and what became of how many; each kind shows itself alone in the list. */
export function TotalsCard({ totals, dates, history, address: { kinds: chosen }, go }: TotalsCardProps) {
  return (
    <Card title="Changes" note={<Dates {...dates} />} remote={totals} skeleton={<Skeleton rows={3} height={36} />}>
      {(comparison) => (
        <div className={classes.totals}>
          <Growth comparison={comparison} before={sizeOn(history, dates.previous)} now={sizeOn(history, dates.now)} />
          <fieldset className={classes.kinds} aria-label="Kinds of change to list">
            {comparison.kinds.map((kind) => (
              <KindTile
                key={kind.kind}
                totals={kind}
                isChosen={chosen.includes(kind.kind)}
                onChoose={() => go({ kinds: toggled(chosen, kind.kind) })}
              />
            ))}
          </fieldset>
        </div>
      )}
    </Card>
  )
}

/** The two dates, and which of them do not tell all. */
function Dates({ previous, now }: TotalsCardProps['dates']) {
  const known = useActiveDate().dates.data ?? []
  const partial = [previous, now].filter((day) => known.find(({ indexingDate }) => indexingDate === day)?.isPartial)
  return (
    <span className={classes.dates}>
      from {previous} to {now}
      {partial.map((day) => (
        <Chip key={day} icon={IconAlertTriangle} tone="warn" title="A storage was not read whole, so more may differ">
          {`Partial: ${day}`}
        </Chip>
      ))}
    </span>
  )
}

/** The size of the folder in a snapshot; undefined where that does not have it. */
const sizeOn = (history: readonly FolderAtDate[], day: string): number | undefined =>
  history.find(({ indexingDate }) => indexingDate === day)?.size

type GrowthProps = { comparison: Comparison; before: number | undefined; now: number | undefined }

function Growth({ comparison: { growth, unrecordedGrowth }, before, now }: GrowthProps) {
  return (
    <div className={classes.growth}>
      <span className={classes.label}>Total growth</span>
      <Change bytes={growth} isLarge />
      {before !== undefined && now !== undefined && (
        <span className={classes.note}>
          <Size bytes={before} /> before, <Size bytes={now} /> now
        </span>
      )}
      {unrecordedGrowth !== 0 && (
        <span className={classes.note}>
          <Change bytes={unrecordedGrowth} /> of it not recorded file by file
        </span>
      )}
    </div>
  )
}
