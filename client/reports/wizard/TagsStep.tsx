import { TagsInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { knownTags } from '#events/tags.ts'
import { useRemote } from '#client/app/remote.ts'
import classes from './Wizard.module.css'

type TagsStepProps = { tags: string[]; onChange: (tags: string[]) => void; error: ReactNode }

/** Custom tags, in addition to the tag that every result gets. */
export function TagsStep({ tags, onChange, error }: TagsStepProps) {
  const known = useRemote(knownTags, { query: {} }, 'tags')
  return (
    <div className={classes.form} data-takes-enter>
      <p className={classes.explanation}>
        Whatever the report finds gets a tag of its own, with which its results are searched. These tags are given
        beside it.
      </p>
      <TagsInput
        label="Tags"
        description="Enter or a comma adds a tag. They are optional."
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
