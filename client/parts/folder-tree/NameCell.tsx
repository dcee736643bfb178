import {
  IconChevronRight,
  IconCopy,
  IconFile,
  IconFolder,
  IconFolderOpen,
  IconInfoCircle,
  IconTags,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
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

/** The name of an entry, with what selects it before and what is done with it after. Names are shown as they are, on one line. */
export function NameCell({ entry, isOpen, isSelected, isActive, mayTag }: NameCellProps) {
  const text = visible(useNameText(entry.name))
  const stop = isActive ? 0 : -1
  return (
    <div className={classes.nameLine}>
      {isSelected !== undefined && (
        <input
          type="checkbox"
          data-do="select"
          className={classes.check}
          checked={isSelected}
          disabled={entry.isRemoved}
          tabIndex={stop}
          aria-label={`Select ${visible(entry.name)}`}
          onChange={ignored}
        />
      )}
      <Fold entry={entry} isOpen={isOpen} />
      {!entry.isDirectory ? file : isOpen ? openFolder : folder}
      <bdi className={classes.text}>{text}</bdi>
      <span className={classes.actions}>
        {mayTag && !entry.isRemoved && <Deed deed="tags" of={entry} stop={stop} />}
        <Deed deed="copy" of={entry} stop={stop} />
        <Deed deed="details" of={entry} stop={stop} />
      </span>
    </div>
  )
}

/** The tree hears the click that sets a checkbox. */
const ignored = () => {}

function Fold({ entry, isOpen }: { entry: TreeEntry; isOpen: boolean }) {
  if (!entry.isDirectory || entry.isRemoved) return <span className={classes.fold} />
  const label = `${isOpen ? 'Close' : 'Open'} ${visible(entry.name)}`
  return (
    <button type="button" data-do="fold" tabIndex={-1} className={classes.fold} data-open={isOpen} aria-label={label}>
      {chevron}
    </button>
  )
}

function Deed({ deed, of, stop }: { deed: RowDeed; of: TreeEntry; stop: number }) {
  const label = `${deeds[deed].words} ${visible(of.name)}`
  return (
    <button type="button" data-do={deed} tabIndex={stop} className={classes.deed} aria-label={label}>
      {deeds[deed].sign}
    </button>
  )
}
