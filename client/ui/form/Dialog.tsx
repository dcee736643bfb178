import { onDemand } from '#client/ui/onDemand.tsx'
import type { DialogProps } from './DrawnDialog.tsx'

/** Modal dialog. Escape closes it unless `holds`, and the focus returns to where it was. */
export const Dialog = onDemand(
  () => import('./DrawnDialog.tsx').then((m) => m.DrawnDialog),
  ({ opened }: DialogProps) => opened,
)
