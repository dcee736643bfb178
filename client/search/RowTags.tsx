import { IconTags } from '@tabler/icons-react'
import type { Entry } from '#events/entries.ts'
import { TagList } from '../parts/tags/TagList.tsx'
import classes from './Results.module.css'

/** The tags of a row, and on hover what changes them. */
export function RowTags({ entry, onTags }: { entry: Entry; onTags: ((entry: Entry) => void) | undefined }) {
  return (
    <div className={classes.tags}>
      {entry.customTag.length > 0 && <TagList tags={entry.customTag} />}
      {onTags && !entry.deleted && (
        <button
          type="button"
          className={classes.tagIt}
          tabIndex={-1}
          aria-label={`Tags of ${entry.name}`}
          title="Tags"
          onClick={() => onTags(entry)}
        >
          <IconTags size={16} stroke={1.5} aria-hidden />
        </button>
      )}
    </div>
  )
}
