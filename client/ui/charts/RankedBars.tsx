import type { CSSProperties, ReactNode } from 'react'
import { colour } from '#client/ui/theme/roles.ts'
import { type ChartPart, type OnPick, shareOf, shareText } from './chartPart.ts'
import classes from './RankedBars.module.css'

type RankedBarsProps = { parts: readonly ChartPart[]; onPick?: OnPick }

/** Horizontal bars, as long as their share of all. */
export function RankedBars({ parts, onPick }: RankedBarsProps) {
  return (
    <ol className={classes.bars}>
      {parts.map((part) => (
        <li key={part.key}>
          <Row part={part} onPick={onPick}>
            <span className={classes.label}>{part.label}</span>
            <span className={classes.value}>{part.text}</span>
            <span className={classes.share}>{shareText(part, parts)}</span>
            <span className={classes.track} aria-hidden>
              <span
                className={classes.bar}
                style={{ '--share': shareOf(part, parts), '--part': colour(part.role) } as CSSProperties}
              />
            </span>
          </Row>
        </li>
      ))}
    </ol>
  )
}

function Row({ part, onPick, children }: { part: ChartPart; onPick: OnPick | undefined; children: ReactNode }) {
  if (!onPick || !part.isPickable)
    return (
      <div className={classes.row} title={part.label}>
        {children}
      </div>
    )
  return (
    <button
      type="button"
      className={`hover focus-inside ${classes.row}`}
      title={part.label}
      onClick={() => onPick(part.key)}
    >
      {children}
    </button>
  )
}
