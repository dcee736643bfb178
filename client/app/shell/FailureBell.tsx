import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { counted } from '../../ui/text/count.ts'
import { failures } from '../toasts.ts'
import { OpensLater } from './OpensLater.tsx'
import classes from './FailureBell.module.css'

const load = () => import('./FailureBellOpened.tsx').then((m) => m.FailureBellOpened)

/** Opens the failures that toasts told of, once there was one. */
export function FailureBell() {
  const { list } = useSnapshot(failures)
  if (list.length === 0) return null
  return (
    <OpensLater load={load} opens="dialog">
      <ActionIcon className={classes.bell} aria-label={`${counted(list.length, 'failure')} since this page was opened`}>
        <IconBell size={18} stroke={1.5} />
      </ActionIcon>
    </OpensLater>
  )
}
