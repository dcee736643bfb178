import { Menu } from '@mantine/core'
import type { ComponentProps } from 'react'
import type { EntrySummary } from '#events/entries.ts'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'
import { type SelectionTotals, type Selection, clear, selectAll, selectPage } from './selection.ts'

export type SelectChoicesProps = {
  selection: Selection
  page: () => readonly EntrySummary[]
  found: SelectionTotals | undefined
  isTree: boolean
}

/** Menu of the select button. */
export function SelectChoices({ button, ...props }: ComponentProps<PopoverContent<SelectChoicesProps>>) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Choices {...props} />
      </Menu.Dropdown>
    </Menu>
  )
}

function Choices({ selection, page, found, isTree }: SelectChoicesProps) {
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
