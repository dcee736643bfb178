import { Popover } from '@mantine/core'
import { cloneElement, type ComponentProps, type ComponentType, useState } from 'react'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'
import type { ActionContentProps, ActionTarget } from '#client/parts/selection/action.ts'

export type ActionPopoverProps = ComponentProps<
  PopoverContent<{ label: string; target: () => ActionTarget; Content: ComponentType<ActionContentProps> }>
>

/** Content of an action below its button. */
export function ActionPopover({ button, label, target, Content }: ActionPopoverProps) {
  const [opened, setOpened] = useState<ActionTarget>()
  const close = () => setOpened(undefined)
  return (
    <Popover opened={opened !== undefined} onChange={close} position="bottom-start" trapFocus withinPortal>
      <Popover.Target>
        {cloneElement(button, { onClick: () => setOpened(opened ? undefined : target()) })}
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>{opened && <Content target={opened} onClose={close} />}</Popover.Dropdown>
    </Popover>
  )
}
