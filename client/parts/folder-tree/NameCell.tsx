import {
  IconChevronRight,
  IconCopy,
  IconFile,
  IconFolder,
  IconFolderOpen,
  type Icon,
  IconInfoCircle,
  IconTags,
} from '@tabler/icons-react'
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

/** The name of an entry, with what selects it before and what is done with it after. Names are shown as they are, on one line. */
export function NameCell({ entry, isOpen, isSelected, isActive, mayTag }: NameCellProps) {
  const text = visible(useNameText(entry.name))
  const stop = isActive ? 0 : -1
  const Sign = !entry.isDirectory ? IconFile : isOpen ? IconFolderOpen : IconFolder
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
      <Sign size={16} stroke={1.5} className={classes.sign} data-folder={entry.isDirectory} aria-hidden />
      <bdi className={classes.text}>{text}</bdi>
      <span className={classes.actions}>
        {mayTag && !entry.isRemoved && <Deed deed="tags" of={entry} stop={stop} icon={IconTags} />}
        <Deed deed="copy" of={entry} stop={stop} icon={IconCopy} />
        <Deed deed="details" of={entry} stop={stop} icon={IconInfoCircle} />
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
      <IconChevronRight size={16} stroke={1.5} aria-hidden />
    </button>
  )
}

const words: Record<RowDeed, string> = {
  tags: 'Manage the tags of',
  copy: 'Copy the path of',
  details: 'Show the details of',
}

function Deed({ deed, of, stop, icon: Sign }: { deed: RowDeed; of: TreeEntry; stop: number; icon: Icon }) {
  const label = `${words[deed]} ${visible(of.name)}`
  return (
    <button type="button" data-do={deed} tabIndex={stop} className={classes.deed} aria-label={label}>
      <Sign size={16} stroke={1.5} aria-hidden />
    </button>
  )
}
