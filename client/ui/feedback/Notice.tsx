import type { ReactNode } from 'react'
import type { Icon } from '@tabler/icons-react'
import classes from './Notice.module.css'

/** Empty state: an icon, a sentence, at most one action. */
export function Notice({ icon: Sign, children, step }: { icon?: Icon; children: ReactNode; step?: ReactNode }) {
  return (
    <div className={classes.notice}>
      {Sign && <Sign size={24} stroke={1.5} className="faint" aria-hidden />}
      <p>{children}</p>
      {step}
    </div>
  )
}
