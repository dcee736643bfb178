import { SegmentedControl } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import { isDay } from '#events/days.ts'
import type { WindowChoice as Choice } from './timeWindow.ts'
import type { Timeline } from './useTimeline.ts'
import classes from './Volume.module.css'

const choices: { value: Choice; label: string }[] = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: 'custom', label: 'Custom' },
]

const field = {
  valueFormat: 'YYYY-MM-DD',
  // Half a day is none yet.
  dateParser: (text: string) => (isDay(text) ? text : null),
  placeholder: 'yyyy-MM-dd',
  weekendDays: [],
  hideOutsideDates: true,
  popoverProps: { withinPortal: false },
  previousLabel: 'Previous month',
  nextLabel: 'Next month',
}

/** Which days a timeline shows. */
export function WindowChoice({ timeline: { frame, bounds, choose } }: { timeline: Timeline }) {
  const { from, to } = frame
  return (
    <div className={classes.window}>
      <SegmentedControl
        aria-label="Time window"
        size="xs"
        data={choices}
        value={frame.choice}
        onChange={(choice) => choose(choice as Choice)}
      />
      {frame.choice === 'custom' && (
        <>
          <DateInput
            {...field}
            aria-label="From"
            value={from}
            maxDate={bounds.latestFrom}
            onChange={(day) => day && choose('custom', { from: day, to })}
          />
          <span aria-hidden>–</span>
          <DateInput
            {...field}
            aria-label="To"
            value={to}
            minDate={bounds.earliestTo}
            maxDate={bounds.latestTo}
            onChange={(day) => day && choose('custom', { from, to: day })}
          />
        </>
      )}
    </div>
  )
}
