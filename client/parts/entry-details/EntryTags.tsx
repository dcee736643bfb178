import type { EntrySummary } from '#events/entries.ts'
import { TagList } from '../tags/TagList.tsx'
import { TagsPopover } from '../tags/TagsPopover.tsx'
import classes from './EntryDetails.module.css'

/** The tags of an entry, and what changes them. */
export function EntryTags({ entry }: { entry: EntrySummary }) {
  const { customTag, deleted } = entry
  return (
    <section className={classes.tags} aria-label="Tags of this entry">
      <h3>Tags</h3>
      {customTag.length > 0 ? <TagList tags={customTag} /> : <span className={classes.none}>No tags</span>}
      <TagsPopover mode="add" target={{ entries: [entry] }} disabled={deleted} />
      <TagsPopover mode="remove" target={{ entries: [entry] }} disabled={customTag.length === 0} />
    </section>
  )
}
