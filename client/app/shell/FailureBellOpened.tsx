import { Popover } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useSnapshot } from 'valtio'
import { timeText } from '../../ui/text/moment.ts'
import { failures } from '../toasts.ts'
import type { Opening } from './OpensLater.tsx'
import classes from './FailureBell.module.css'

/** The failures that toasts told of, for those who looked away. */
export function FailureBellOpened({ button }: ComponentProps<Opening>) {
  const { list } = useSnapshot(failures)
  return (
    <Popover position="bottom-end" width={360}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown p={0}>
        <ul className={classes.list}>
          {list.map(({ at, message }, index) => (
            <li key={`${at}-${index}`}>
              <span className={classes.at}>{timeText(at)}</span>
              <span>{message}</span>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
