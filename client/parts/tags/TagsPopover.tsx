import { ActionIcon, Popover } from '@mantine/core'
import { IconTagOff, IconTags } from '@tabler/icons-react'
import { useState } from 'react'
import { useActiveDate } from '#client/app/activeDate.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import type { TagMode, TagTarget } from './applyTags.tsx'
import { TagPicker } from './TagPicker.tsx'

const labels = { add: 'Add tags', remove: 'Remove tags' }
const icons = { add: IconTags, remove: IconTagOff }
const readOnly = 'Older snapshots are read-only'

type TagsPopoverProps = { mode: TagMode; target: TagTarget; disabled?: boolean; onDone?: () => void }

/** Button that opens the tags to add or remove. Hidden without permission, disabled for older snapshots. */
export function TagsPopover({ mode, target, disabled = false, onDone }: TagsPopoverProps) {
  const { isNewest } = useActiveDate()
  const [isOpen, open] = useState(false)
  const Icon = icons[mode]
  const close = () => open(false)
  return (
    <RoleGuard needs="entries.tag">
      <Popover opened={isOpen} onChange={open} position="bottom-start" trapFocus withinPortal>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            aria-label={labels[mode]}
            title={isNewest ? labels[mode] : readOnly}
            disabled={disabled || !isNewest}
            onClick={() => open(!isOpen)}
          >
            <Icon size={16} stroke={1.5} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label={labels[mode]}>
          {isOpen && <TagPicker mode={mode} target={target} onClose={close} onDone={onDone} />}
        </Popover.Dropdown>
      </Popover>
    </RoleGuard>
  )
}
