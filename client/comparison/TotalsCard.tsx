import { IconAlertTriangle } from '@tabler/icons-react'
import type { Comparison, ChangeTotals } from '#events/comparison.ts'
import type { FolderAtDate } from '#events/folders/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { Card } from '#client/ui/Card.tsx'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { originTexts } from '#client/ui/text/importOrigin.ts'
import { Count } from '#client/ui/values/Count.tsx'
import { StatusBadge } from '#client/ui/values/StatusBadge.tsx'
import { Change } from './Change.tsx'
import { type ComparisonAddress, toggled, type ChangeComparison } from './comparisonAddress.ts'
import type { ComparisonData } from './useCompared.ts'
import { kindWords } from './kindWords.ts'
import classes from './Totals.module.css'

type TotalsCardProps = {
  totals: ComparisonData['totals']
  dates: { previous: string; now: string }
  history: readonly FolderAtDate[]
  address: ComparisonAddress
  changeComparison: ChangeComparison
}

/** Total growth, and number of entries by kind of change. Selecting a kind filters the list. */
export function TotalsCard({ totals, dates, history, address: { kinds: chosen }, changeComparison }: TotalsCardProps) {
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
                onChoose={() => changeComparison({ kinds: toggled(chosen, kind.kind) })}
              />
            ))}
          </fieldset>
        </div>
      )}
    </Card>
  )
}

/** The two dates; marks partial and imported snapshots. */
function Dates({ previous, now }: TotalsCardProps['dates']) {
  const known = useActiveDate().dates.data ?? []
  const days = known.filter(({ indexingDate }) => indexingDate === previous || indexingDate === now)
  const partial = days.filter(({ isPartial }) => isPartial).map(({ indexingDate }) => indexingDate)
  return (
    <span className="row wrap gap-4-8">
      {previous} to {now}
      {partial.map((day) => (
        <Chip
          key={day}
          icon={IconAlertTriangle}
          tone="warn"
          title="Some paths could not be read, so there may be more differences"
        >
          {`Partial: ${day}`}
        </Chip>
      ))}
      {days.flatMap(({ indexingDate, imports }) =>
        originTexts(imports).map((text) => (
          <span key={`${indexingDate} ${text}`} className="muted">
            {indexingDate} {text}
          </span>
        )),
      )}
    </span>
  )
}

/** Size of the folder in a snapshot; undefined if it doesn't exist there. */
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
          Includes <Change bytes={unrecordedGrowth} /> not recorded file by file
        </span>
      )}
    </div>
  )
}

type KindTileProps = { totals: ChangeTotals; isChosen: boolean; onChoose: () => void }

/** Number of files and folders with a kind of change. A click filters the list by it. */
function KindTile({ totals: { kind, files, folders, size, grown, shrunk }, isChosen, onChoose }: KindTileProps) {
  const { word, icon, tone, hint } = kindWords[kind]
  const isNone = files + folders === 0
  return (
    <button
      type="button"
      className={classes.kind}
      aria-pressed={isChosen}
      disabled={isNone && !isChosen}
      title={hint}
      onClick={onChoose}
    >
      <StatusBadge icon={icon} tone={isNone ? 'faint' : tone}>
        {word}
      </StatusBadge>
      <span className={classes.count}>
        <Count of={files} one="file" />
      </span>
      <span className={classes.note}>
        <Count of={folders} one="folder" />, <Size bytes={size} />
      </span>
      <span className={classes.ways}>
        {grown > 0 && <Change bytes={grown} />} {shrunk > 0 && <Change bytes={-shrunk} />}
      </span>
    </button>
  )
}
