import type { ReactNode } from 'react'
import type { Icon } from '@tabler/icons-react'
import classes from './Notice.module.css'

/** What stands where there is nothing to show: an icon, a sentence, at most one next step. */
export function Notice({ icon: Sign, children, step }: { icon?: Icon; children: ReactNode; step?: ReactNode }) {
  return (
    <div className={classes.notice}>
      {Sign && <Sign size={24} stroke={1.5} className={classes.icon} aria-hidden />}
      <p>{children}</p>
      {step}
    </div>
  )
}
