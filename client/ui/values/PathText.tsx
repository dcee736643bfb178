import { separatorOf } from '#events/sources/fullPath.ts'
import { usePathText } from './displayOptions.state.ts'
import classes from './PathText.module.css'

/** A path on one line. Folders are truncated, the last name is kept. The full path is in the tooltip. */
export function PathText({ path }: { path: string }) {
  const text = usePathText(path)
  const name = Math.max(0, text.lastIndexOf(separatorOf(path)))
  return (
    <span className={classes.path} title={path}>
      <span className={classes.folders}>{text.slice(0, name)}</span>
      <span className={classes.name}>{text.slice(name)}</span>
    </span>
  )
}
