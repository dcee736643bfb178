import { NativeSelect } from '@mantine/core'
import { useActiveDate } from '#client/app/activeDate.ts'
import { originTexts } from '#client/ui/text/importOrigin.ts'
import type { PreviousDateChoice } from './usePreviousDate.ts'

/** Selects the date to compare with. Imported ones have their origin. */
export function PreviousDate({ areKnown, date, offered, others, choose }: PreviousDateChoice) {
  const known = useActiveDate().dates.data ?? []
  if (!areKnown) return null
  if (date === undefined) return <span className="muted small">No earlier snapshot to compare with</span>
  const named = (day: string) =>
    [day, ...originTexts(known.find(({ indexingDate }) => indexingDate === day)?.imports)].join(', ')
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
          {days} days ago, {named(date)}
        </option>
      ))}
      {others.length > 0 && (
        <optgroup label="Custom">
          {others.map((date) => (
            <option key={date} value={date}>
              since {named(date)}
            </option>
          ))}
        </optgroup>
      )}
    </NativeSelect>
  )
}
