import { separatorOf } from '#events/sources/fullPath.ts'
import { usePathText } from './displayOptions.state.ts'
import classes from './PathText.module.css'

/** A path on one line: its folders give way, its last name stays. The whole path is one hover away. */
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
