import type { EntrySummary } from '#events/entries.ts'
import { TagList } from '#client/parts/tags/TagList.tsx'
import { TagsPopover } from '#client/parts/tags/TagsPopover.tsx'
import { type EntryStatus, isOfEarlierDate, removalText } from './entryStatus.ts'
import classes from './EntryDetails.module.css'

/** Tags of an entry, with add and remove. Entries that no longer exist are read-only. */
export function EntryTags({ entry }: { entry: EntrySummary & EntryStatus }) {
  const { customTag } = entry
  const isGone = removalText(entry) !== undefined
  return (
    <section className={classes.tags}>
      <h3>Tags</h3>
      {customTag.length > 0 ? <TagList tags={customTag} /> : <span className={classes.none}>No tags</span>}
      <TagsPopover mode="add" target={{ entries: [entry] }} disabled={isGone} />
      <TagsPopover
        mode="remove"
        target={{ entries: [entry] }}
        disabled={customTag.length === 0 || isOfEarlierDate(entry)}
      />
    </section>
  )
}
