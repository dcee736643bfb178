import { Button } from '@mantine/core'
import { IconCalendarOff } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useActiveDate } from '../app/activeDate.ts'
import { useLinks } from '../app/links.ts'
import { Notice } from '../ui/Notice.tsx'

/** The snapshot that is looked at is the first one. */
export function NoEarlier({ now }: { now: string }) {
  const { isNewest, choose } = useActiveDate()
  const links = useLinks()
  const step = isNewest ? (
    <Button component={Link} href={links.schedules()} variant="default">
      See when scans run
    </Button>
  ) : (
    <Button onClick={() => choose(undefined)}>Newest snapshot</Button>
  )
  return (
    <Notice icon={IconCalendarOff} step={step}>
      There is no snapshot before {now} to compare with.
    </Notice>
  )
}
