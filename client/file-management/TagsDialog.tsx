import { useState } from 'react'
import type { Entry } from '#events/entries.ts'
import { visible } from '../parts/entry-text/EntryName.tsx'
import type { TagMode } from '../parts/tags/applyTags.tsx'
import { TagPicker } from '../parts/tags/TagPicker.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { type Tab, Tabs } from '../ui/Tabs.tsx'

/** Adds tags to one entry, or removes some of those that it has. */
export function TagsDialog({ entry, onClose }: { entry: Entry | undefined; onClose: () => void }) {
  const [mode, show] = useState<TagMode>('add')
  const tab = (key: TagMode, title: string): Tab<TagMode> => ({
    key,
    title,
    content: entry && <TagPicker mode={key} target={{ entries: [entry] }} onClose={onClose} />,
  })
  return (
    <Dialog opened={entry !== undefined} title={`Tags of ${visible(entry?.name ?? '')}`} onClose={onClose}>
      <Tabs label="Tags" tabs={[tab('add', 'Add tags'), tab('remove', 'Remove tags')]} shown={mode} onShow={show} />
    </Dialog>
  )
}
