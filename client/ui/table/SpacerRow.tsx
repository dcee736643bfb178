import type { CSSProperties } from 'react'
import classes from './LongTable.module.css'

/** The room of the rows of a long table that are not drawn, in pixels. */
export const SpacerRow = ({ height }: { height: number }) => (
  <tr aria-hidden className={classes.gap} style={{ '--height': `${height}px` } as CSSProperties} />
)
