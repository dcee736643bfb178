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
import { visible } from '#client/parts/entry-text/EntryName.tsx'
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

/** Signs are drawn once for all rows: React leaves alone what is the same as before. */
const sign = { size: 16, stroke: 1.5, 'aria-hidden': true } as const
const chevron = <IconChevronRight {...sign} />
const file = <IconFile {...sign} className={classes.sign} />
const folder = <IconFolder {...sign} className={classes.sign} data-folder />
const openFolder = <IconFolderOpen {...sign} className={classes.sign} data-folder />
const actions: Record<RowAction, { words: string; sign: ReactNode }> = {
  tags: { words: 'Manage the tags of', sign: <IconTags {...sign} /> },
  copy: { words: 'Copy the path of', sign: <IconCopy {...sign} /> },
  details: { words: 'Show the details of', sign: <IconInfoCircle {...sign} /> },
}

/**
 * The name of an entry, with what selects it before and what is done with it after. Names are shown as they are, on one line.
 * The controls are called by their own words and the name, by its id, so that they stay as they are when the row draws another entry.
 */
export function NameCell({ entry, isOpen, isSelected, isActive, mayTag }: NameCellProps) {
  const text = visible(useNameText(entry.name))
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
        {text}
      </bdi>
      <span className={classes.actions}>
        {mayTag && !entry.isRemoved && <ActionButton action="tags" name={name} stop={stop} />}
        <ActionButton action="copy" name={name} stop={stop} />
        <ActionButton action="details" name={name} stop={stop} />
      </span>
    </div>
  )
}

/** What a control does, and how it is called: its words, and what the element with an id says. */
function controlProps(action: RowAction | 'select' | 'fold', words: string, name: string) {
  const id = `${name}${action}`
  return { id, 'data-do': action, 'aria-label': words, 'aria-labelledby': `${id} ${name}` }
}

/** The tree handles the click on a checkbox. */
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
      {...controlProps(action, actions[action].words, name)}
      tabIndex={stop}
      className={classes.rowAction}
    >
      {actions[action].sign}
    </button>
  )
})
