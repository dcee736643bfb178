import { TagsInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { knownTags } from '#events/tags.ts'
import { useRemote } from '#client/app/remote.ts'

type TagsStepProps = { tags: string[]; onChange: (tags: string[]) => void; error: ReactNode }

/** Custom tags, in addition to the tag that every result gets. */
export function TagsStep({ tags, onChange, error }: TagsStepProps) {
  const known = useRemote(knownTags, { query: {} }, 'tags')
  return (
    <div className="stack gap-16 narrow" data-takes-enter>
      <p className="muted">
        All results get a tag of the report, which is used to search for them. These tags are added as well.
      </p>
      <TagsInput
        label="Tags"
        description="Optional. Press Enter or comma to add a tag."
        placeholder={tags.length === 0 ? 'Name a tag' : undefined}
        data={known.data ?? []}
        value={tags}
        onChange={onChange}
        error={error}
        comboboxProps={{ withinPortal: false }}
        clearable
        clearButtonProps={{ 'aria-label': 'Remove all tags' }}
        data-autofocus
      />
    </div>
  )
}
