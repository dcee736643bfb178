import type { ReactNode } from 'react'
import classes from './withButtons.module.css'

/** `inputContainer` of an input with buttons on its line. Label and description stay above and below. */
export const withButtons = (buttons: ReactNode) => (input: ReactNode) => (
  <div className={classes.line}>
    {input}
    {buttons}
  </div>
)
