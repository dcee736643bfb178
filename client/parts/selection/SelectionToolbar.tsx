import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconSquare, IconSquareCheckFilled, IconSquareMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { EntrySummary } from '#events/entries.ts'
import type { SearchSelection } from '#events/selections.ts'
import { Count } from '#client/ui/values/Count.tsx'
import { Toolbar } from '#client/ui/Toolbar.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { useActiveDate } from '#client/app/activeDate.ts'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import { ActionButton } from '#client/parts/actions/ActionButton.tsx'
import { selectionActions } from '#client/parts/actions/actions.ts'
import { targetOf } from '#client/parts/actions/actionTarget.ts'
import type { SelectChoicesProps } from './SelectChoices.tsx'
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
      {size >= largeSelection && <output className="warn">{largeSelectionText}</output>}
    </Toolbar>
  )
}

const icons = { none: IconSquare, page: IconSquareMinus, all: IconSquareCheckFilled }
const labels = { none: 'Nothing is selected', page: 'Some are selected', all: 'All results are selected' }

const loadChoices = () => import('./SelectChoices.tsx').then((m) => m.SelectChoices)

/** Selects all results, the shown rows, or none. */
function SelectMenu(props: SelectChoicesProps) {
  const mode = modeOf(useSnapshot(props.selection) as Selection)
  const Icon = icons[mode]
  return (
    <LazyPopover load={loadChoices} opens="menu" content={props}>
      <UnstyledButton className={classes.menu} aria-label={`Select: ${labels[mode]}`} title={labels[mode]}>
        <Icon size={18} stroke={1.5} aria-hidden />
        <IconChevronDown size={14} stroke={1.5} aria-hidden />
      </UnstyledButton>
    </LazyPopover>
  )
}
