import { cutPath } from './text/path.ts'
import classes from './PathText.module.css'

/** A path on one line: its middle gives way, its last name stays. The whole path is one hover away. */
export function PathText({ path, most = 64 }: { path: string; most?: number }) {
  const shown = cutPath(path, most)
  const at = shown.lastIndexOf('/')
  return (
    <span className={classes.path} title={path}>
      <span className={classes.folder}>{shown.slice(0, at)}</span>
      <span className={classes.name}>{shown.slice(at)}</span>
    </span>
  )
}
