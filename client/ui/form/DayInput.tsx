import { DateInput, type DateInputProps } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import { useRef, useState } from 'react'
import { isDay } from '#events/contract/days.ts'
import { daysAreIn } from '#client/ui/text/timeZone.ts'

type DayInputProps = Pick<DateInputProps, 'label' | 'aria-label' | 'minDate' | 'maxDate' | 'clearable' | 'error'> & {
  /** `yyyy-MM-dd`, or null. */
  value: string | null
  clearLabel?: string
  onCommit: (day: string | null) => void
}

/** Date input with a calendar; its hint names the time zone of days. Typed dates are committed on Enter or blur. */
export function DayInput({ value, clearLabel, onCommit, ...field }: DayInputProps) {
  const [draft, setDraft] = useState(value)
  const [known, setKnown] = useState(value)
  if (value !== known) {
    setKnown(value)
    setDraft(value)
  }
  /** Set by `onInput`, which runs before `onChange`. */
  const isTyped = useRef(false)
  const commit = (day: string | null) => {
    if (day !== value) onCommit(day)
  }
  return (
    <DateInput
      {...field}
      title={daysAreIn}
      value={draft}
      onInput={() => (isTyped.current = true)}
      onChange={(day) => {
        setDraft(day)
        if (!isTyped.current) commit(day)
        isTyped.current = false
      }}
      onKeyDown={({ key }) => key === 'Enter' && commit(draft)}
      onBlur={() => commit(draft)}
      valueFormat="YYYY-MM-DD"
      // Ignore incomplete dates.
      dateParser={(text) => (isDay(text) ? text : null)}
      placeholder="yyyy-MM-dd"
      {...(clearLabel !== undefined && { clearButtonProps: { 'aria-label': clearLabel } })}
      weekendDays={[]}
      hideOutsideDates
      popoverProps={{ withinPortal: false }}
      previousLabel="Previous month"
      nextLabel="Next month"
    />
  )
}
