import { NativeSelect } from '@mantine/core'
import type { PreviousDateChoice } from './usePreviousDate.ts'

/** Selects the date to compare with. */
export function PreviousDate({ areKnown, date, offered, others, choose }: PreviousDateChoice) {
  if (!areKnown) return null
  if (date === undefined) return <span className="muted small">No earlier snapshot to compare with</span>
  return (
    <NativeSelect
      size="xs"
      aria-label="Previous date"
      title="Date to compare with the active date"
      value={date}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {offered.map(({ days, date }) => (
        <option key={date} value={date}>
          {days} days ago, {date}
        </option>
      ))}
      {others.length > 0 && (
        <optgroup label="Custom">
          {others.map((date) => (
            <option key={date} value={date}>
              since {date}
            </option>
          ))}
        </optgroup>
      )}
    </NativeSelect>
  )
}
