import { Popover } from '@mantine/core'
import { cloneElement, type ComponentProps, lazy, Suspense, useState } from 'react'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useFollowedStorages } from '#client/app/shell/useFollowedStorages.ts'
import { PartBoundary } from '#client/app/PartBoundary.tsx'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'
import classes from './SnapshotPicker.module.css'

const SnapshotCalendar = lazy(() => import('./SnapshotCalendar.tsx').then((m) => ({ default: m.SnapshotCalendar })))

export function SnapshotPopover({ button }: ComponentProps<PopoverContent>) {
  const { dates, active, isNow, mayBeNow, choose } = useActiveDate()
  const hasLive = (useFollowedStorages().data?.length ?? 0) > 0
  const [opened, open] = useState(false)
  return (
    <Popover opened={opened} onChange={open} position="bottom-end" trapFocus>
      <Popover.Target>{cloneElement(button, { onClick: () => open(!opened) })}</Popover.Target>
      <Popover.Dropdown>
        <PartBoundary>
          <Suspense fallback={<div className={classes.waiting} />}>
            {dates.data && active && (
              <SnapshotCalendar
                dates={dates.data}
                active={active.indexingDate}
                isNow={isNow || (mayBeNow && hasLive) ? isNow : undefined}
                onChoose={(date) => {
                  choose(date)
                  open(false)
                }}
              />
            )}
          </Suspense>
        </PartBoundary>
      </Popover.Dropdown>
    </Popover>
  )
}
