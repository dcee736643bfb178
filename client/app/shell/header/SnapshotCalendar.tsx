import { Button } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import type { SnapshotDate } from '#events/snapshots.ts'
import { nowDate } from '#client/app/activeDate.ts'
import { counted } from '#client/ui/text/count.ts'
import { originTexts } from '#client/ui/text/importOrigin.ts'
import classes from './SnapshotCalendar.module.css'

type SnapshotCalendarProps = {
  /** Newest first. */
  dates: SnapshotDate[]
  active: string
  /** Undefined if Now can't be chosen. */
  isNow: boolean | undefined
  /** Undefined selects the newest, also when later snapshots arrive. */
  onChoose: (date: string | undefined) => void
}

/** Calendar in which only days with a snapshot can be selected. Partial snapshots are marked. */
export function SnapshotCalendar({ dates, active, isNow, onChoose }: SnapshotCalendarProps) {
  const byDay = new Map(dates.map((date) => [date.indexingDate, date]))
  const newest = dates[0]?.indexingDate
  return (
    <div className="stack gap-8">
      {isNow !== undefined && (
        <Button variant={isNow ? 'light' : 'default'} fullWidth aria-pressed={isNow} onClick={() => onChoose(nowDate)}>
          Now
        </Button>
      )}
      <DatePicker
        value={isNow ? null : active}
        defaultDate={active}
        onChange={(day) => onChoose(day && day !== newest ? day : undefined)}
        excludeDate={(day) => !byDay.has(day)}
        getDayProps={(day) => ({ title: remarkOn(byDay.get(day)) })}
        previousLabel="Previous month"
        nextLabel="Next month"
        renderDay={(day) => <Day number={Number(day.slice(8))} isPartial={byDay.get(day)?.isPartial ?? false} />}
        {...(newest ? { maxDate: newest } : {})}
        minDate={dates.at(-1)?.indexingDate ?? active}
        weekendDays={[]}
        hideOutsideDates
        size="sm"
      />
      <Button variant="default" fullWidth disabled={active === newest && !isNow} onClick={() => onChoose(undefined)}>
        Newest: {newest}
      </Button>
    </div>
  )
}

function Day({ number, isPartial }: { number: number; isPartial: boolean }) {
  return (
    <span className={classes.day} data-partial={isPartial}>
      {number}
    </span>
  )
}

function remarkOn(date: SnapshotDate | undefined): string {
  if (!date) return 'No snapshot'
  return [counted(date.volumes, 'storage'), date.isPartial && 'partial', ...originTexts(date.imports)]
    .filter(Boolean)
    .join(', ')
}
