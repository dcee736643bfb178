import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Warning.module.css'

/** A sentence about a risk of the next step. */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <output className={classes.warning}>
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      <span>{children}</span>
    </output>
  )
}
