import { ActionIcon, Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { timeText } from '../../ui/text/moment.ts'
import { counted } from '../../ui/text/count.ts'
import { failures } from '../toasts.ts'
import classes from './FailureBell.module.css'

/** The failures that toasts told of, for those who looked away. */
export function FailureBell() {
  const { list } = useSnapshot(failures)
  if (list.length === 0) return null
  return (
    <Popover position="bottom-end" width={360}>
      <Popover.Target>
        <ActionIcon
          className={classes.bell}
          aria-label={`${counted(list.length, 'failure')} since this page was opened`}
        >
          <IconBell size={18} stroke={1.5} />
        </ActionIcon>
      </Popover.Target>
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
