import classes from './ProgressBar.module.css'

/** `share` is 0 to 1; undefined shows an indeterminate bar. `label` names the task. */
export function ProgressBar({ share, label }: { share: number | undefined; label: string }) {
  return <progress className={classes.bar} aria-label={label} value={share} max={1} />
}
