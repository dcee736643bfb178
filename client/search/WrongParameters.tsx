import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import classes from './SearchPage.module.css'

/** What the address asked for and could not be searched for. */
export function WrongParameters({ wrong, onLeaveOut }: { wrong: string[]; onLeaveOut: () => void }) {
  if (wrong.length === 0) return null
  return (
    <output className={classes.wrong}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      <span>Left out of the search: {wrong.join('; ')}.</span>
      <Button variant="default" size="compact-sm" onClick={onLeaveOut}>
        Remove from the address
      </Button>
    </output>
  )
}
