import { Popover } from '@mantine/core'
import { cloneElement, type ComponentProps, lazy, Suspense, useState } from 'react'
import { useActiveDate } from '../activeDate.ts'
import type { Opening } from './OpensLater.tsx'
import classes from './SnapshotPicker.module.css'

const SnapshotCalendar = lazy(() => import('./SnapshotCalendar.tsx').then((m) => ({ default: m.SnapshotCalendar })))

/** The days that have a snapshot. */
export function SnapshotPickerOpened({ button }: ComponentProps<Opening>) {
  const { dates, active, choose } = useActiveDate()
  const [opened, open] = useState(false)
  return (
    <Popover opened={opened} onChange={open} position="bottom-end" trapFocus>
      <Popover.Target>{cloneElement(button, { onClick: () => open(!opened) })}</Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={<div className={classes.waiting} />}>
          {dates.data && active && (
            <SnapshotCalendar
              dates={dates.data}
              active={active.indexingDate}
              onChoose={(date) => {
                choose(date)
                open(false)
              }}
            />
          )}
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
