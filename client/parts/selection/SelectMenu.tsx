import { Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconSquare, IconSquareCheckFilled, IconSquareMinus } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import type { EntrySummary } from '#events/entries.ts'
import { type SelectionTotals, type Selection, clear, modeOf, selectAll, selectPage } from './selection.ts'
import classes from './Selection.module.css'

const icons = { none: IconSquare, page: IconSquareMinus, all: IconSquareCheckFilled }
const labels = { none: 'Nothing is selected', page: 'Some are selected', all: 'All results are selected' }

type SelectMenuProps = {
  selection: Selection
  page: () => readonly EntrySummary[]
  found: SelectionTotals | undefined
  isTree: boolean
}

/** Selects all results, the shown rows, or none. */
export function SelectMenu(props: SelectMenuProps) {
  const { selection } = props
  const mode = modeOf(useSnapshot(selection) as Selection)
  const Icon = icons[mode]
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes.menu} aria-label={`Select: ${labels[mode]}`} title={labels[mode]}>
          <Icon size={18} stroke={1.5} aria-hidden />
          <IconChevronDown size={14} stroke={1.5} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Choices {...props} />
      </Menu.Dropdown>
    </Menu>
  )
}

function Choices({ selection, page, found, isTree }: SelectMenuProps) {
  const entries = page()
  return (
    <>
      {found && found.count > 0 && <Menu.Item onClick={() => selectAll(selection, found)}>Select all</Menu.Item>}
      <Menu.Item disabled={entries.length === 0} onClick={() => selectPage(selection, entries)}>
        {isTree ? 'Select all visible' : 'Select current page'}
      </Menu.Item>
      <Menu.Item onClick={() => clear(selection)}>Select none</Menu.Item>
    </>
  )
}
