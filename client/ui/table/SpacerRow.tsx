import type { CSSProperties } from 'react'
import classes from './LongTable.module.css'

/** Replaces the rows that are not rendered. Height in pixels. */
export const SpacerRow = ({ height }: { height: number }) => (
  <tr aria-hidden className={classes.gap} style={{ '--height': `${height}px` } as CSSProperties} />
)
