import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'wouter'
import { configurations } from '#events/configurations.ts'
import { useLinks } from '../app/links.ts'
import { useRemote } from '../app/remote.ts'
import classes from './PerformanceWarning.module.css'

/** Says that scans leave things out, where storages are set up. */
export function PerformanceWarning() {
  const links = useLinks()
  const { data } = useRemote(configurations.list, {}, 'configurations')
  if (data?.find(({ name }) => name === 'isPerformanceModeActive')?.value !== 'true') return null
  return (
    <p className={classes.warning}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      <span>
        Performance mode is active: scans leave out owners and groups, and folders are no duplicates. It is set in{' '}
        <Link href={links.settings()}>General</Link>.
      </span>
    </p>
  )
}
