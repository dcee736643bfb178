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
import { visible } from '../entry-text/EntryName.tsx'
import { useNameText } from '../../ui/shown.state.ts'
import type { TreeEntry } from './treeModel.ts'
import type { RowDeed } from './useTreeHands.ts'
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
const deeds: Record<RowDeed, { words: string; sign: ReactNode }> = {
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
          {...called('select', 'Select', name)}
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
        {mayTag && !entry.isRemoved && <Deed deed="tags" name={name} stop={stop} />}
        <Deed deed="copy" name={name} stop={stop} />
        <Deed deed="details" name={name} stop={stop} />
      </span>
    </div>
  )
}

/** What a control does, and how it is called: its words, and what the element with an id says. */
function called(deed: RowDeed | 'select' | 'fold', words: string, name: string) {
  const id = `${name}${deed}`
  return { id, 'data-do': deed, 'aria-label': words, 'aria-labelledby': `${id} ${name}` }
}

/** The tree hears the click that sets a checkbox. */
const ignored = () => {}

function Fold({ entry, isOpen, name }: { entry: TreeEntry; isOpen: boolean; name: string }) {
  if (!entry.isDirectory || entry.isRemoved) return <span className={classes.fold} />
  const label = called('fold', isOpen ? 'Close' : 'Open', name)
  return (
    <button type="button" {...label} tabIndex={-1} className={classes.fold} data-open={isOpen}>
      {chevron}
    </button>
  )
}

const Deed = memo(function Deed({ deed, name, stop }: { deed: RowDeed; name: string; stop: number }) {
  return (
    <button type="button" {...called(deed, deeds[deed].words, name)} tabIndex={stop} className={classes.deed}>
      {deeds[deed].sign}
    </button>
  )
})
