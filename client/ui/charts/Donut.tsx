import { type CSSProperties, lazy, Suspense } from 'react'
import { colour } from '#client/ui/theme/roles.ts'
import { type ChartPart, type OnPick, shareText } from './chartPart.ts'
import classes from './Donut.module.css'

const DrawnDonut = lazy(() => import('./drawn/DrawnDonut.tsx').then((m) => ({ default: m.DrawnDonut })))

type DonutProps = {
  parts: readonly ChartPart[]
  /** Text in the middle of the ring. */
  total: string
  onPick?: OnPick
}

/** Parts of a whole as a ring with a legend. Legend entries can be reached by keyboard. */
export function Donut({ parts, total, onPick }: DonutProps) {
  const pick = (key: string) => {
    if (parts.some((part) => part.key === key && part.isPickable)) onPick?.(key)
  }
  return (
    <div className="row wrap gap-8-16">
      <div className={classes.ring} aria-hidden>
        <Suspense fallback={null}>
          <DrawnDonut parts={parts} total={total} onPick={pick} />
        </Suspense>
      </div>
      <ol className={classes.legend}>
        {parts.map((part) => (
          <li key={part.key}>
            <Entry part={part} share={shareText(part, parts)} onPick={onPick} />
          </li>
        ))}
      </ol>
    </div>
  )
}

type EntryProps = { part: ChartPart; share: string; onPick: OnPick | undefined }

function Entry({ part, share, onPick }: EntryProps) {
  const content = (
    <>
      <span className="swatch" style={{ '--part': colour(part.role) } as CSSProperties} aria-hidden />
      <span className="ellipsis pre">{part.label}</span>
      <span className="strong nowrap">{part.text}</span>
      <span className="muted small nowrap right">{share}</span>
    </>
  )
  if (!onPick || !part.isPickable)
    return (
      <div className={classes.entry} title={part.label}>
        {content}
      </div>
    )
  return (
    <button
      type="button"
      className={`hover focus-inside ${classes.entry}`}
      title={part.label}
      onClick={() => onPick(part.key)}
    >
      {content}
    </button>
  )
}
