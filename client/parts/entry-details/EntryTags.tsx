import type { EntrySummary } from '#events/entries.ts'
import { ActionButton } from '#client/parts/actions/ActionButton.tsx'
import { targetOfEntries } from '#client/parts/actions/actionTarget.ts'
import { TagList } from '#client/parts/tags/TagList.tsx'
import { addTags, removeTags } from '#client/parts/tags/tagActions.tsx'
import { type EntryStatus, isOfEarlierDate, removalText } from './entryStatus.ts'

/** Tags of an entry, with add and remove. Entries that no longer exist are read-only. */
export function EntryTags({ entry }: { entry: EntrySummary & EntryStatus }) {
  const { customTag } = entry
  const isGone = removalText(entry) !== undefined
  const target = () => targetOfEntries([entry], undefined)
  return (
    <section className="row wrap gap-8">
      <h3 className="bold">Tags</h3>
      {customTag.length > 0 ? <TagList tags={customTag} /> : <span className="muted">No tags</span>}
      <ActionButton action={addTags} target={target} disabled={isGone} />
      <ActionButton action={removeTags} target={target} disabled={customTag.length === 0 || isOfEarlierDate(entry)} />
    </section>
  )
}
