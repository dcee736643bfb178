import { type Icon, IconTagOff, IconTags } from '@tabler/icons-react'
import type { SelectionAction } from '#client/parts/selection/action.ts'

const readOnly = (_: unknown, { isNewest }: { isNewest: boolean }) =>
  isNewest ? undefined : 'Older snapshots are read-only'

const tagAction = (mode: 'add' | 'remove', label: string, icon: Icon): SelectionAction => ({
  id: `${mode}-tags`,
  label,
  icon,
  needs: 'entries.tagManaged',
  surface: 'popover',
  disabledReason: readOnly,
  load: async () => {
    const { TagPicker } = await import('./TagPicker.tsx')
    return (props) => <TagPicker mode={mode} {...props} />
  },
})

export const addTags = tagAction('add', 'Add tags', IconTags)
export const removeTags = tagAction('remove', 'Remove tags', IconTagOff)
