import type { HTMLAttributes, ReactNode } from 'react'
import { onDemand } from '#client/ui/onDemand.tsx'

export type DialogProps = {
  opened: boolean
  title: string
  size?: 'S' | 'M' | 'L'
  /** Closing would lose its content for good, so Escape and a click outside don't close it. */
  holds?: boolean
  /** Handlers of events in the dialog, and in lists that it opens. */
  handlers?: Pick<HTMLAttributes<HTMLDivElement>, 'onChange' | 'onClick'>
  onClose: () => void
  children: ReactNode
}

/** Modal dialog. Escape closes it unless `holds`, and the focus returns to where it was. */
export const Dialog = onDemand(
  () => import('./DrawnDialog.tsx').then((m) => m.DrawnDialog),
  ({ opened }: DialogProps) => opened,
)
