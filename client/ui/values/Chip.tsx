import type { Icon } from '@tabler/icons-react'
import type { Tone } from './StatusBadge.tsx'
import classes from './Chip.module.css'

/** A note on a row or a number, such as "Partial: 3 paths unreadable". */
export function Chip({
  icon: Sign,
  tone = 'quiet',
  title,
  children,
}: {
  icon?: Icon
  tone?: Tone
  title?: string
  children: string
}) {
  return (
    <span className={classes.chip} data-tone={tone} title={title}>
      {Sign && <Sign size={14} stroke={1.5} aria-hidden />}
      {children}
    </span>
  )
}
