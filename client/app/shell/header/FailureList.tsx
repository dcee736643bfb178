import { Popover } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useSnapshot } from 'valtio'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'
import { failures } from '#client/app/toasts/toasts.ts'
import { timeText } from '#client/ui/text/moment.ts'
import classes from './FailureBell.module.css'

/** List of errors that were shown as toasts. */
export function FailureList({ button }: ComponentProps<PopoverContent>) {
  const { list } = useSnapshot(failures)
  return (
    <Popover position="bottom-end" width={360}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown p={0}>
        {list.length === 0 && <p className="padded muted">No failures since this page was opened.</p>}
        <ul className={classes.list} hidden={list.length === 0}>
          {list.map(({ at, message }, index) => (
            <li className="flex gap-12" key={`${at}-${index}`}>
              <span className="fixed muted">{timeText(at)}</span>
              <span>{message}</span>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
