import { ActionIcon, Menu } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import type { Builder } from './useBuilder.ts'

type GripProps = {
  builder: Builder
  id: number
  /** Name of the moved item: "the condition of Name". */
  name: string
}

/** Moves a condition or group by dragging or with a menu. */
export function Grip({ builder, id, name }: GripProps) {
  const { move, drag, endDrag } = builder
  return (
    <Menu position="bottom-start" returnFocus>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          aria-label={`Move ${name}`}
          title="Drag it, or Alt and an arrow key"
          data-grip
          draggable
          onDragStart={({ dataTransfer }) => {
            dataTransfer.effectAllowed = 'move'
            dataTransfer.setData('text/plain', name)
            drag(id)
          }}
          onDragEnd={endDrag}
        >
          <IconGripVertical size={16} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item rightSection={<span aria-hidden>Alt ↑</span>} onClick={() => move(id, -1)}>
          Move up
        </Menu.Item>
        <Menu.Item rightSection={<span aria-hidden>Alt ↓</span>} onClick={() => move(id, 1)}>
          Move down
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
