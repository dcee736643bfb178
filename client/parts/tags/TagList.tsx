import classes from './Tags.module.css'

export function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <ul className="flex wrap gap-4" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className={classes.tag} title={tag}>
          {tag}
        </li>
      ))}
    </ul>
  )
}
