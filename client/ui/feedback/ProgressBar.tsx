import classes from './ProgressBar.module.css'

/** How far something is; `share` is of 1, and without it nobody knows. `label` names what goes on. */
export function ProgressBar({ share, label }: { share: number | undefined; label: string }) {
  return <progress className={classes.bar} aria-label={label} value={share} max={1} />
}
