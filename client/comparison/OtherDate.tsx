import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import classes from './Comparison.module.css'

type OtherDateProps = { asked: string | undefined; previous: string; now: string; choose: (date: string) => void }

/** The address asks for a date that there is no earlier snapshot of: which one is compared instead. */
export function OtherDate({ asked, previous, now, choose }: OtherDateProps) {
  if (asked === undefined || asked === previous) return null
  return (
    <output className={classes.other}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      <span>
        There is no snapshot of <bdi>{asked.slice(0, 40) || 'this date'}</bdi> before <time>{now}</time>. It is compared
        with that of <time>{previous}</time>.
      </span>
      <Button variant="default" size="compact-sm" onClick={() => choose(previous)}>
        Keep {previous}
      </Button>
    </output>
  )
}
