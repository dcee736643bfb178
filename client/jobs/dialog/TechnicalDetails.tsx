import type { ReactNode } from 'react'
import classes from './JobDialog.module.css'

/** Collapsed section for JSON documents. */
export const TechnicalDetails = ({ children }: { children: ReactNode }) => (
  <details className={classes.technical}>
    <summary>Technical details</summary>
    <div className={classes.documents}>{children}</div>
  </details>
)
