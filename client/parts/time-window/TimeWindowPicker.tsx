import { DayInput } from '#client/ui/form/DayInput.tsx'
import { Segments } from '#client/ui/form/Segments.tsx'
import type { ChosenTimeWindow, WindowChoice } from './timeWindow.ts'
import classes from './TimeWindowPicker.module.css'

const choices: { value: WindowChoice; label: string }[] = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: 'custom', label: 'Custom' },
]

/** Selects the days of a timeline. */
export function TimeWindowPicker({ frame, bounds, choose }: ChosenTimeWindow) {
  const { from, to } = frame
  return (
    <div className={classes.window}>
      <Segments label="Time window" options={choices} chosen={frame.choice} onChoose={choose} />
      {frame.choice === 'custom' && (
        <>
          <DayInput
            aria-label="From"
            value={from}
            maxDate={bounds.latestFrom}
            onCommit={(day) => day && choose('custom', { from: day, to })}
          />
          <span aria-hidden>–</span>
          <DayInput
            aria-label="To"
            value={to}
            minDate={bounds.earliestTo}
            maxDate={bounds.latestTo}
            onCommit={(day) => day && choose('custom', { from, to: day })}
          />
        </>
      )}
    </div>
  )
}
