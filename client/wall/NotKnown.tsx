import classes from './Boards.module.css'

/** Stands where the server did not tell yet what is there: that is not nothing. */
export const NotKnown = () => <p className={classes.empty}>Not known yet</p>
