import type { ChangeTotals } from '#events/comparison.ts'
import { Count } from '../ui/Count.tsx'
import { Size } from '../ui/Size.tsx'
import { StatusBadge } from '../ui/StatusBadge.tsx'
import { Change } from './Change.tsx'
import { kindWords } from './kindWords.ts'
import classes from './Totals.module.css'

type KindTileProps = { totals: ChangeTotals; isChosen: boolean; onChoose: () => void }

/** How many files and folders are of a kind; pressed, the list shows them. */
export function KindTile({ totals: { kind, files, folders, size, grown, shrunk }, isChosen, onChoose }: KindTileProps) {
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
