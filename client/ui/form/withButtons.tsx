import type { ReactNode } from 'react'
import classes from './withButtons.module.css'

/** `inputContainer` of an input that has buttons on its line, whatever is above and below it. */
export const withButtons = (buttons: ReactNode) => (input: ReactNode) => (
  <div className={classes.line}>
    {input}
    {buttons}
  </div>
)
