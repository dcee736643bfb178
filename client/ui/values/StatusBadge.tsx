import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './StatusBadge.module.css'

export type Tone = 'quiet' | 'faint' | 'ok' | 'good' | 'warn' | 'attention' | 'critical'

/** A state with icon and color. */
export function StatusBadge({ icon: Sign, tone, children }: { icon: Icon; tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      <Sign size={16} stroke={1.5} aria-hidden />
      {children}
    </span>
  )
}
