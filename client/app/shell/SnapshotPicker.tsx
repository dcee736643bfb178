import { Popover } from '@mantine/core'
import { IconAlertTriangle, IconCalendar } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useActiveDate } from '../activeDate.ts'
import classes from './SnapshotPicker.module.css'

const SnapshotCalendar = lazy(() => import('./SnapshotCalendar.tsx').then((m) => ({ default: m.SnapshotCalendar })))

/** The snapshot that is looked at; another day can be chosen, if it has one. */
export function SnapshotPicker() {
  const { dates, active, isNewest, choose } = useActiveDate()
  const [opened, open] = useState(false)
  if (!active || !dates.data) return null
  const Sign = isNewest && !active.isPartial ? IconCalendar : IconAlertTriangle
  return (
    <Popover opened={opened} onChange={open} position="bottom-end" trapFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.picker}
          aria-label={`Snapshot ${active.indexingDate}${isNewest ? '' : ', read only'}${active.isPartial ? ' · partial' : ''}`}
          data-past={!isNewest}
          data-partial={active.isPartial}
          onClick={() => open(!opened)}
        >
          <Sign size={16} stroke={1.5} aria-hidden />
          <span className={classes.label}>Snapshot </span>
          {active.indexingDate}
          {!isNewest && <span>, read only</span>}
          {active.isPartial && <span className={classes.label}> · partial</span>}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={<div className={classes.waiting} />}>
          <SnapshotCalendar
            dates={dates.data}
            active={active.indexingDate}
            onChoose={(date) => {
              choose(date)
              open(false)
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
