import { ActionIcon } from '@mantine/core'
import { IconTable } from '@tabler/icons-react'

type TableSwitchProps = { title: string; isTable: boolean; onTurn: (isTable: boolean) => void }

/** Switches a chart to a table of its numbers. */
export function TableSwitch({ title, isTable, onTurn }: TableSwitchProps) {
  return (
    <ActionIcon
      aria-label={`Show ${title} as table`}
      title="Show as table"
      aria-pressed={isTable}
      className="switch"
      onClick={() => onTurn(!isTable)}
    >
      <IconTable size={16} stroke={1.5} />
    </ActionIcon>
  )
}
