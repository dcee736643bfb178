import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { EntrySummary } from '#events/entries.ts'
import type { SearchSelection } from '#events/selections.ts'
import { Count } from '#client/ui/values/Count.tsx'
import { Toolbar } from '#client/ui/Toolbar.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { useActiveDate } from '#client/app/activeDate.ts'
import { ActionButton } from '#client/parts/actions/ActionButton.tsx'
import { selectionActions } from '#client/parts/actions/actions.ts'
import { targetOf } from '#client/parts/actions/actionTarget.ts'
import { SelectMenu } from './SelectMenu.tsx'
import {
  largeSelection,
  largeSelectionText,
  modeOf,
  type Selection,
  type SelectionTotals,
  summaryOf,
} from './selection.ts'
import classes from './Selection.module.css'

type SelectionToolbarProps = {
  selection: Selection
  /** Shown entries: a page, or all rows of a tree. A function, since a tree may have very many. */
  page: () => readonly EntrySummary[]
  /** Singular and plural: `['file', 'files']`. */
  nouns: [one: string, many: string]
  /** Trees have no pages. */
  isTree?: boolean
  /** All results, if they can be selected: totals and search. */
  all?: { found: SelectionTotals; search: SearchSelection } | undefined
  /** More controls. */
  children?: ReactNode
}

/** Selection summary with its actions. */
export function SelectionToolbar({ selection, page, nouns, isTree = false, all, children }: SelectionToolbarProps) {
  const snapshot = useSnapshot(selection) as Selection
  const { count, size } = summaryOf(snapshot)
  const { indexingDate } = useActiveDate()
  const target = () => targetOf(snapshot, all?.search, indexingDate)
  const isNothing = modeOf(snapshot) === 'none'
  return (
    <Toolbar label="Selection" className={classes.toolbar}>
      <SelectMenu selection={selection} page={page} found={all?.found} isTree={isTree} />
      <span className={classes.badge}>
        <Count of={count} one={`${nouns[0]} selected`} many={`${nouns[1]} selected`} />
      </span>
      <span className={classes.badge}>
        <Size bytes={size} />
      </span>
      {selectionActions.map((action) => (
        <ActionButton key={action.id} action={action} target={target} disabled={isNothing} />
      ))}
      {children}
      {size >= largeSelection && <output className={classes.warning}>{largeSelectionText}</output>}
    </Toolbar>
  )
}
