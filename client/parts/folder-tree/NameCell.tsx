import {
  IconChevronRight,
  IconCopy,
  IconFile,
  IconFolder,
  IconFolderOpen,
  IconInfoCircle,
  IconTags,
} from '@tabler/icons-react'
import { memo, type ReactNode, useId } from 'react'
import { notEnteredChip } from '#client/parts/storages/notIncluded.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { MarkedText } from '#client/ui/values/PathText.tsx'
import { useNameText } from '#client/ui/values/displayOptions.state.ts'
import type { TreeEntry } from './treeModel.ts'
import type { RowAction } from './useTreeInteraction.ts'
import classes from './Tree.module.css'

type NameCellProps = {
  entry: TreeEntry
  isOpen: boolean
  isSelected: boolean | undefined
  isActive: boolean
  mayTag: boolean
}

/** Shared icon elements. React skips elements that are identical to those of the last render. */
const sign = { size: 16, stroke: 1.5, 'aria-hidden': true } as const
const chevron = <IconChevronRight {...sign} />
const file = <IconFile {...sign} className={classes.sign} />
const folder = <IconFolder {...sign} className={classes.sign} data-folder />
const openFolder = <IconFolderOpen {...sign} className={classes.sign} data-folder />
const actions: Record<RowAction, { label: string; sign: ReactNode }> = {
  tags: { label: 'Manage the tags of', sign: <IconTags {...sign} /> },
  copy: { label: 'Copy the path of', sign: <IconCopy {...sign} /> },
  details: { label: 'Show the details of', sign: <IconInfoCircle {...sign} /> },
}

/**
 * Name of an entry with checkbox and actions. Names are shown in full on one line. Controls are labeled by their own
 * text and the id of the name, so that they don't change when the row is reused for another entry.
 */
export function NameCell({ entry, isOpen, isSelected, isActive, mayTag }: NameCellProps) {
  const text = useNameText(entry.name)
  const stop = isActive ? 0 : -1
  const name = useId()
  return (
    <div className={classes.nameLine}>
      {isSelected !== undefined && (
        <input
          type="checkbox"
          {...controlProps('select', 'Select', name)}
          className={classes.check}
          checked={isSelected}
          disabled={entry.isRemoved}
          tabIndex={stop}
          onChange={ignored}
        />
      )}
      <Fold entry={entry} isOpen={isOpen} name={name} />
      {!entry.isDirectory ? file : isOpen ? openFolder : folder}
      <bdi id={name} className={classes.text}>
        <MarkedText text={text} />
      </bdi>
      {entry.notEntered && <Chip tone="warn">{notEnteredChip(entry.notEntered)}</Chip>}
      <span className={classes.actions}>
        {mayTag && !entry.isRemoved && <ActionButton action="tags" name={name} stop={stop} />}
        <ActionButton action="copy" name={name} stop={stop} />
        <ActionButton action="details" name={name} stop={stop} />
      </span>
    </div>
  )
}

/** Props of a control, with a label of its text and the element with the id of the name. */
function controlProps(action: RowAction | 'select' | 'fold', label: string, name: string) {
  const id = `${name}${action}`
  return { id, 'data-do': action, 'aria-label': label, 'aria-labelledby': `${id} ${name}` }
}

/** The tree handles clicks on checkboxes. */
const ignored = () => {}

function Fold({ entry, isOpen, name }: { entry: TreeEntry; isOpen: boolean; name: string }) {
  if (!entry.isDirectory || entry.isRemoved) return <span className={classes.fold} />
  const label = controlProps('fold', isOpen ? 'Close' : 'Open', name)
  return (
    <button type="button" {...label} tabIndex={-1} className={classes.fold} data-open={isOpen}>
      {chevron}
    </button>
  )
}

const ActionButton = memo(function ActionButton({
  action,
  name,
  stop,
}: {
  action: RowAction
  name: string
  stop: number
}) {
  return (
    <button
      type="button"
      {...controlProps(action, actions[action].label, name)}
      tabIndex={stop}
      className={classes.rowAction}
    >
      {actions[action].sign}
    </button>
  )
})
