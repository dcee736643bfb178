import classes from './ReloadLine.module.css'

/** A thin line that runs along the upper edge of a block which is read again, while what was read before stands there. */
export const ReloadLine = () => <div className={classes.line} aria-hidden />
