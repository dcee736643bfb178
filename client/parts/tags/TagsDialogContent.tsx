import { useState } from 'react'
import type { EntrySummary } from '#events/entries.ts'
import { targetOfEntries } from '#client/parts/selection/action.ts'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { Tabs } from '#client/ui/Tabs.tsx'
import { visible } from '#client/ui/text/visible.ts'
import type { TagMode } from './applyTags.tsx'
import { TagPicker } from './TagPicker.tsx'

export type TagsDialogProps = { entry: EntrySummary | undefined; onClose: () => void }

/** Adds tags to an entry, or removes them. */
export function TagsDialogContent({ entry, onClose }: TagsDialogProps) {
  const [mode, setMode] = useState<TagMode>('add')
  const picker = (mode: TagMode) =>
    entry && <TagPicker mode={mode} target={targetOfEntries([entry], undefined)} onClose={onClose} />
  return (
    <Dialog opened={entry !== undefined} title={`Tags of ${visible(entry?.name ?? '')}`} onClose={onClose}>
      <Tabs
        label="What to do"
        tabs={[
          { key: 'add', title: 'Add tags', content: picker('add') },
          { key: 'remove', title: 'Remove tags', content: picker('remove') },
        ]}
        shown={mode}
        onShow={setMode}
      />
    </Dialog>
  )
}
