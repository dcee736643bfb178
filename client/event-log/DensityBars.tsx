import { type CSSProperties, type MouseEvent, useId } from 'react'
import { counted } from '#client/ui/text/count.ts'
import { dayText, timeText } from '#client/ui/text/moment.ts'
import type { Density } from './sandbox/sandboxEvents.ts'
import classes from './DensityBars.module.css'

type DensityBarsProps = {
  density: Density
  /** Time of the event shown. */
  playhead?: string | undefined
  /** Called with the range of a selected bar. */
  onChoose?: ((from: string, to: string) => void) | undefined
}

const height = 40

/** Events over time, with failures marked and the current position. */
export function DensityBars({ density, playhead, onChoose }: DensityBarsProps) {
  const id = useId()
  const { from, to } = density
  if (from === null || to === null) return <div className={classes.empty} />
  const share = playhead && (Date.parse(playhead) - Date.parse(from)) / (Date.parse(to) - Date.parse(from))
  return (
    <figure className="relative" aria-labelledby={id}>
      <figcaption id={id} className="unseen">
        {summary(density)}
      </figcaption>
      <Bars density={density} onChoose={onChoose} />
      {typeof share === 'number' && share >= 0 && share <= 1 && (
        <span className={classes.playhead} style={{ '--at': share } as CSSProperties} />
      )}
      <p className={classes.ends}>
        <span>{`${dayText(from)} ${timeText(from)}`}</span>
        <span>{`${dayText(to)} ${timeText(to)}`}</span>
      </p>
    </figure>
  )
}

function Bars({ density: { pieces, to }, onChoose }: Pick<DensityBarsProps, 'density' | 'onChoose'>) {
  const max = Math.max(1, ...pieces.map(({ events }) => events))
  // Keeps bars narrow when there are only a few.
  const width = Math.min(0.8, pieces.length / 50)
  const bar = (index: number, events: number) => {
    const room = events === 0 ? 0 : Math.max(2, (events / max) * height)
    return { x: index + (1 - width) / 2, y: height - room, width, height: room }
  }
  const choose = ({ clientX, currentTarget }: MouseEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * pieces.length)
    const piece = pieces[index]
    if (piece && to) onChoose?.(piece.at, pieces[index + 1]?.at ?? to)
  }
  return (
    <svg
      className={classes.bars}
      viewBox={`0 0 ${pieces.length} ${height}`}
      preserveAspectRatio="none"
      data-choose={onChoose !== undefined}
      aria-hidden
      onClick={choose}
    >
      {pieces.map(({ at, events, failures }, index) => (
        <g key={at}>
          <title>{`${dayText(at)} ${timeText(at)}: ${counted(events, 'event')}, ${counted(failures, 'failure')}`}</title>
          <rect className={classes.hit} x={index} y={0} width={1} height={height} />
          <rect className={classes.events} {...bar(index, events)} />
          <rect className={classes.failures} {...bar(index, failures)} />
        </g>
      ))}
    </svg>
  )
}

function summary({ from, to, pieces }: Density): string {
  const events = pieces.reduce((sum, piece) => sum + piece.events, 0)
  const failures = pieces.reduce((sum, piece) => sum + piece.failures, 0)
  const range = from && to ? ` from ${dayText(from)} ${timeText(from)} to ${dayText(to)} ${timeText(to)}` : ''
  return `${counted(events, 'event')}, ${counted(failures, 'failure')}${range}`
}
