import { useSnapshot } from 'valtio'
import { session } from '#client/app/session.state.ts'
import { ActionIcon, Button, Popover } from '@mantine/core'
import { IconChecklist, IconPlus } from '@tabler/icons-react'
import { cloneElement, type ComponentProps, useState } from 'react'
import { Link } from 'wouter'
import { type SavedSearch, savedSearches } from '#events/search/savedSearches.ts'
import { useLinks } from '#client/app/links.ts'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { useRemote } from '#client/app/remote.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { EditAction, RemoveAction, RowActions } from '#client/ui/table/RowActions.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { call } from '#client/app/call.ts'
import { ConfirmDeletion } from '#client/parts/deletion/ConfirmDeletion.tsx'
import { SaveSearch } from './SaveSearch.tsx'
import { searchParamsOf } from './savedQuery.ts'
import classes from './SavedSearches.module.css'

type Dialogs = { edited?: SavedSearch | 'new'; deleting?: SavedSearch }

/** The user's own and shared searches, with an option to save the current one. */
export function SavedSearchesPopover({ button }: ComponentProps<PopoverContent>) {
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
        <Popover.Target>{cloneElement(button, { onClick: () => open(!isOpen) })}</Popover.Target>
        <Popover.Dropdown aria-label="Saved searches" p={0}>
          {isOpen && <Saved onOpen={() => open(false)} show={leaveFor} />}
        </Popover.Dropdown>
      </Popover>
      <SaveSearch edited={dialogs.edited} onClose={close} />
      <DeleteSearch deleting={dialogs.deleting} onClose={close} />
    </>
  )
}

function Saved({ onOpen, show }: { onOpen: () => void; show: (dialogs: Dialogs) => void }) {
  const saved = useRemote(savedSearches.list, { query: { size: 1_000 } }, 'savedSearches')
  return (
    <>
      {!saved.data && saved.error && !saved.loading && <Failure error={saved.error} retry={saved.retry} />}
      {!saved.data && saved.loading && <Skeleton />}
      {saved.data?.total === 0 && <p className={classes.none}>No saved searches yet.</p>}
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
  const { name, query, isShared, mayChange } = search
  const owner = search.owner ?? 'a deleted user'
  const ownName = useSnapshot(session).user?.name
  return (
    <li className={classes.row}>
      <Link className={classes.name} href={links.search(searchParamsOf(query))} onClick={onOpen} title={name}>
        {name}
      </Link>
      {isShared && <Chip title={`Shared by ${owner}`}>{owner === ownName ? 'Shared' : `Shared by ${owner}`}</Chip>}
      <RoleGuard needs="policies.edit">
        <ActionIcon
          component={Link}
          href={links.newPolicy(searchParamsOf(query))}
          aria-label={`Make a policy of ${name}`}
          title="Make a policy"
          onClick={onOpen}
        >
          <IconChecklist size={16} stroke={1.5} />
        </ActionIcon>
      </RoleGuard>
      {mayChange && (
        <RowActions>
          <EditAction label={`Edit ${name}`} onClick={() => show({ edited: search })} />
          <RemoveAction label={`Delete ${name}`} onClick={() => show({ deleting: search })} />
        </RowActions>
      )}
    </li>
  )
}

/** Confirms deleting a saved search. */
function DeleteSearch({ deleting, onClose }: { deleting: SavedSearch | undefined; onClose: () => void }) {
  return (
    <ConfirmDeletion
      deleting={deleting}
      onClose={onClose}
      title="Delete the saved search"
      verb="Delete search"
      remove={({ id }) => call(savedSearches.remove, { params: { id } })}
      deletedText={({ name }) => `Search ${name} was deleted`}
    >
      {`Are you sure you want to delete search ${deleting?.name ?? ''}?`}
      {deleting?.isShared && ' It is shared. No one will be able to use it anymore.'}
    </ConfirmDeletion>
  )
}
