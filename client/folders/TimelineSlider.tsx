import type { CSSProperties } from 'react'
import type { FolderAtDate } from '#events/folders/calls.ts'
import { changedFields } from './timeline.ts'
import classes from './Folders.module.css'

type TimelineSliderProps = { history: readonly FolderAtDate[]; index: number; onChoose: (index: number) => void }

/** Slider with a tick for each snapshot, longer if the folder changed. */
export function TimelineSlider({ history, index, onChoose }: TimelineSliderProps) {
  const last = Math.max(1, history.length - 1)
  const valueText = (index: number) => {
    const changes = changedFields(history, index).length
    return `${history[index]?.indexingDate}${changes > 0 ? ', changed' : ''}`
  }
  return (
    <div className={classes.slider}>
      <input
        type="range"
        aria-label="Snapshot of the timeline"
        aria-valuetext={valueText(index)}
        min={0}
        max={last}
        value={index}
        disabled={history.length < 2}
        onChange={({ currentTarget }) => onChoose(Math.min(Number(currentTarget.value), history.length - 1))}
      />
      <div className={classes.ticks} aria-hidden>
        {history.map(({ indexingDate }, place) => (
          <span
            key={indexingDate}
            data-changed={changedFields(history, place).length > 0}
            data-chosen={place === index}
            style={{ '--place': place / last } as CSSProperties}
          />
        ))}
      </div>
      <div className="flex between muted small" aria-hidden>
        <span>{history[0]?.indexingDate}</span>
        {history.length > 1 && <span>{history.at(-1)?.indexingDate}</span>}
      </div>
    </div>
  )
}
