import { Button, UnstyledButton } from '@mantine/core'
import { IconArchive, IconChevronDown, IconSquare, IconSquareCheckFilled, IconSquareMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { planAction } from '#events/actions/plans.ts'
import { connectedSystems } from '#events/actions/calls.ts'
import { type Bundle, bundles } from '#events/contract/needs.ts'
import type { EntrySummary } from '#events/entries.ts'
import type { SearchSelection } from '#events/selections.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { useRemote } from '#client/app/remote.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { Count } from '#client/ui/values/Count.tsx'
import { Toolbar } from '#client/ui/Toolbar.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { useActiveDate } from '#client/app/activeDate.ts'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import { targetOf } from '#client/parts/selection/action.ts'
import type { SelectChoicesProps } from '#client/parts/selection/SelectChoices.tsx'
import {
  largeSelection,
  largeSelectionText,
  modeOf,
  type Selection,
  type SelectionTotals,
  summaryOf,
} from '#client/parts/selection/selection.ts'
import classes from '#client/parts/selection/Selection.module.css'
import { ActionButton } from './ActionButton.tsx'
import { selectionActions } from './actions.ts'

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
  /** Controls of the list, while nothing is selected. */
  children?: ReactNode
}

/** Bar above a list: its controls, or the selection with its actions. It has the same height for both, so that the list doesn't move. */
export function SelectionToolbar({ selection, page, nouns, isTree = false, all, children }: SelectionToolbarProps) {
  const snapshot = useSnapshot(selection) as Selection
  const isNothing = modeOf(snapshot) === 'none'
  return (
    <Toolbar label="Selection" className={isNothing ? classes.toolbar : `${classes.toolbar} ${classes.chosen}`}>
      <SelectMenu selection={selection} page={page} found={all?.found} isTree={isTree} />
      {isNothing ? children : <Chosen selection={snapshot} search={all?.search} nouns={nouns} />}
    </Toolbar>
  )
}

type ChosenProps = Pick<SelectionToolbarProps, 'selection' | 'nouns'> & { search: SearchSelection | undefined }

/** Count and size of a selection, and its actions in connected systems. */
function Chosen({ selection, search, nouns }: ChosenProps) {
  const { count, size } = summaryOf(selection)
  const { indexingDate } = useActiveDate()
  const systems = useSystems()
  const target = () => targetOf(selection, search, indexingDate)
  return (
    <>
      <span className={classes.badge}>
        <Count of={count} one={`${nouns[0]} selected`} many={`${nouns[1]} selected`} />
      </span>
      <span className={classes.badge}>
        <Size bytes={size} />
      </span>
      {size >= largeSelection && <output className="warn nowrap">{largeSelectionText}</output>}
      {selectionActions
        .filter(({ bundle }) => bundle === undefined || systems.connected.includes(bundle))
        .map((action) => (
          <ActionButton key={action.id} action={action} target={target} />
        ))}
      {systems.connected.length === 0 && systems.missing.length > 0 && (
        <LazyPopover load={loadMissing} opens="dialog" content={{ systems: systems.missing }}>
          <Button
            variant="subtle"
            size="compact-sm"
            className="fixed"
            leftSection={<IconArchive size={16} stroke={1.5} />}
          >
            Archive or move…
          </Button>
        </LazyPopover>
      )}
    </>
  )
}

const loadMissing = () => import('./MissingSystems.tsx').then((m) => m.MissingSystems)

/** Systems whose actions the user may start: those that are connected, and once that is known, the others. */
function useSystems(): Record<'connected' | 'missing', Bundle[]> {
  const { data } = useRemote(connectedSystems, {}, 'sources', 'storNextMappings', 'configurations')
  const user = useSnapshot(session).user as CurrentUser | undefined
  const isLicensed = useLicence()
  const own = bundles.filter(
    (bundle) =>
      isLicensed(bundle) &&
      selectionActions.some(
        (action) => action.bundle === bundle && userMay(user, action.needs) && userMay(user, planAction),
      ),
  )
  const connected = own.filter((bundle) => data?.includes(bundle))
  return { connected, missing: data ? own.filter((bundle) => !connected.includes(bundle)) : [] }
}

const icons = { none: IconSquare, page: IconSquareMinus, all: IconSquareCheckFilled }
const labels = { none: 'Nothing is selected', page: 'Some are selected', all: 'All results are selected' }

const loadChoices = () => import('#client/parts/selection/SelectChoices.tsx').then((m) => m.SelectChoices)

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
