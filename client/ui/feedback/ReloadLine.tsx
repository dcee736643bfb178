import classes from './ReloadLine.module.css'

/** A thin animated line at the top of a block that reloads while its old data is shown. */
export const ReloadLine = () => <div className={classes.line} aria-hidden />
