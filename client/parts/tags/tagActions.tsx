import { IconTagOff, IconTags } from '@tabler/icons-react'
import type { SelectionAction } from '#client/parts/actions/selectionAction.ts'
import { TagPicker } from './TagPicker.tsx'

const readOnly = (_: unknown, { isNewest }: { isNewest: boolean }) =>
  isNewest ? undefined : 'Older snapshots are read-only'

const tagging = { needs: 'entries.tag', surface: 'popover', disabledReason: readOnly } as const

export const addTags: SelectionAction = {
  ...tagging,
  id: 'add-tags',
  label: 'Add tags',
  icon: IconTags,
  Content: (props) => <TagPicker mode="add" {...props} />,
}

export const removeTags: SelectionAction = {
  ...tagging,
  id: 'remove-tags',
  label: 'Remove tags',
  icon: IconTagOff,
  Content: (props) => <TagPicker mode="remove" {...props} />,
}
