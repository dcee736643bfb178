import classes from './PathText.module.css'

/** A path on one line: its folders give way, its last name stays. The whole path is one hover away. */
export function PathText({ path }: { path: string }) {
  const name = path.lastIndexOf('/')
  return (
    <span className={classes.path} title={path}>
      <span className={classes.folders}>{path.slice(0, name)}</span>
      <span className={classes.name}>{path.slice(name)}</span>
    </span>
  )
}
