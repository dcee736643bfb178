import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconSquare, IconSquareCheckFilled, IconSquareMinus } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import type { SelectChoicesProps } from './SelectChoices.tsx'
import { type Selection, modeOf } from './selection.ts'
import classes from './Selection.module.css'

const icons = { none: IconSquare, page: IconSquareMinus, all: IconSquareCheckFilled }
const labels = { none: 'Nothing is selected', page: 'Some are selected', all: 'All results are selected' }

const loadChoices = () => import('./SelectChoices.tsx').then((m) => m.SelectChoices)

/** Selects all results, the shown rows, or none. */
export function SelectMenu(props: SelectChoicesProps) {
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
