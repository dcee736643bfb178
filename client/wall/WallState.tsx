import type { Icon } from '@tabler/icons-react'
import type { WallTone } from './WallFigure.tsx'
import classes from './Boards.module.css'

/** A state: its sign and its word, in the colour of what it means. */
export function WallState({ icon: Sign, tone, children }: { icon: Icon; tone: WallTone; children: string }) {
  return (
    <span className={classes.state} data-tone={tone} data-state>
      <Sign className={classes.sign} stroke={1.75} aria-hidden />
      {children}
    </span>
  )
}
