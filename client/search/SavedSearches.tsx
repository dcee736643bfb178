import { Button, Popover } from '@mantine/core'
import { IconBookmarks, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { type SavedSearch, savedSearches } from '#events/saved-searches.ts'
import { useLinks } from '../app/links.ts'
import { useRemote } from '../app/remote.ts'
import { Chip } from '../ui/Chip.tsx'
import { Failure } from '../ui/Failure.tsx'
import { EditAction, RemoveAction, RowActions } from '../ui/RowActions.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { DeleteSearch } from './DeleteSearch.tsx'
import { SaveSearch } from './SaveSearch.tsx'
import { wordsOfQuery } from './savedQuery.ts'
import classes from './SavedSearches.module.css'

type Dialogs = { edited?: SavedSearch | 'new'; doomed?: SavedSearch }

/** The searches that are kept under a name, one's own and the shared ones, and how to keep this one. */
export function SavedSearches() {
  const [isOpen, open] = useState(false)
  const [dialogs, show] = useState<Dialogs>({})
  const close = () => show({})
  const leaveFor = (dialogs: Dialogs) => {
    open(false)
    show(dialogs)
  }
  return (
    <>
      <Popover opened={isOpen} onChange={open} position="bottom-end" width={360} trapFocus>
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<IconBookmarks size={16} stroke={1.5} />}
            onClick={() => open(!isOpen)}
          >
            Saved searches
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Saved searches" p={0}>
          {isOpen && <Saved onOpen={() => open(false)} show={leaveFor} />}
        </Popover.Dropdown>
      </Popover>
      <SaveSearch edited={dialogs.edited} onClose={close} />
      <DeleteSearch doomed={dialogs.doomed} onClose={close} />
    </>
  )
}

function Saved({ onOpen, show }: { onOpen: () => void; show: (dialogs: Dialogs) => void }) {
  const saved = useRemote(savedSearches.list, { query: { size: 1_000 } }, 'savedSearches')
  return (
    <>
      {!saved.data && saved.error && !saved.loading && <Failure error={saved.error} retry={saved.retry} />}
      {!saved.data && saved.loading && <Skeleton />}
      {saved.data?.total === 0 && <p className={classes.none}>No search is saved yet.</p>}
      <ul className={classes.list} aria-label="Saved searches">
        {saved.data?.elements.map((search) => (
          <SavedRow key={search.id} search={search} onOpen={onOpen} show={show} />
        ))}
      </ul>
      <div className={classes.foot}>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} stroke={1.5} />}
          onClick={() => show({ edited: 'new' })}
        >
          Save this search
        </Button>
      </div>
    </>
  )
}

type SavedRowProps = { search: SavedSearch; onOpen: () => void; show: (dialogs: Dialogs) => void }

function SavedRow({ search, onOpen, show }: SavedRowProps) {
  const links = useLinks()
  const { name, query, owner, isShared, mayChange } = search
  return (
    <li className={classes.row}>
      <Link className={classes.name} href={links.search(wordsOfQuery(query))} onClick={onOpen} title={name}>
        {name}
      </Link>
      {isShared && <Chip title={`Shared by ${owner}`}>{`Shared by ${owner}`}</Chip>}
      {mayChange && (
        <RowActions>
          <EditAction label={`Edit ${name}`} onClick={() => show({ edited: search })} />
          <RemoveAction label={`Delete ${name}`} onClick={() => show({ doomed: search })} />
        </RowActions>
      )}
    </li>
  )
}
