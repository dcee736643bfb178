import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Banner.module.css'

type BannerProps = { icon: Icon; tone: 'warn' | 'critical'; action?: ReactNode; children: ReactNode }

/** A full-width line about everything below it. */
export function Banner({ icon: Sign, tone, action, children }: BannerProps) {
  return (
    <div className={classes.banner} data-tone={tone}>
      <Sign size={16} stroke={1.5} aria-hidden />
      <p className="grow">{children}</p>
      {action}
    </div>
  )
}
