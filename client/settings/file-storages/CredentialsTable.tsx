import { Button } from '@mantine/core'
import { IconAlertTriangle, IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { type NetworkCredential, networkCredentials } from '#events/network-volumes.ts'
import { call } from '../../app/call.ts'
import { useRemote } from '../../app/remote.ts'
import { ConfirmDeletion } from '../../parts/deletion/ConfirmDeletion.tsx'
import { Chip } from '../../ui/Chip.tsx'
import type { Column, Sort } from '../../ui/column.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { EditAction, RemoveAction, RowActions } from '../../ui/RowActions.tsx'
import { CredentialDialog } from './CredentialDialog.tsx'
import { chooseCredentialsSize, credentialsPage, credentialsSizes } from './credentialsPage.state.ts'
import classes from './FileStorages.module.css'

/** Who signs in to shares of the network. */
export function CredentialsTable() {
  const [sort, setSort] = useState<Sort>({ field: 'id', direction: 'asc' })
  const [page, go] = useState(1)
  const { size } = useSnapshot(credentialsPage)
  const query = { page, size, sort: sort.field, direction: sort.direction }
  const list = useRemote(networkCredentials.list, { query }, 'networkCredentials')
  const pages = Math.max(1, Math.ceil((list.data?.total ?? 0) / size))
  // What was deleted may have been all of the last page.
  if (list.data && page > pages) go(pages)
  const [edited, edit] = useState<NetworkCredential | 'new'>()
  const [doomed, doom] = useState<NetworkCredential>()
  const add = <AddButton onClick={() => edit('new')} />
  const resize = (size: number) => {
    chooseCredentialsSize(size)
    go(1)
  }
  return (
    <>
      <Loaded remote={list}>
        {({ elements, total }) => (
          <>
            <DataTable
              label="On-Premises credentials"
              columns={credentialsColumns(edit, doom)}
              rows={elements}
              rowKey={({ id }) => id}
              {...{ sort, onSort: setSort }}
              empty={
                <Notice icon={IconKey} step={add}>
                  No credentials yet. Shares that take guests need none.
                </Notice>
              }
              footer={add}
            />
            {total > credentialsSizes[0] && (
              <Pager
                many="credentials"
                {...{ page, size, total }}
                sizes={credentialsSizes}
                onPage={go}
                onSize={resize}
              />
            )}
          </>
        )}
      </Loaded>
      <CredentialDialog edited={edited} onClose={() => edit(undefined)} onSaved={list.retry} />
      <DeleteCredential doomed={doomed} onClose={() => doom(undefined)} onDeleted={list.retry} />
    </>
  )
}

const AddButton = ({ onClick }: { onClick: () => void }) => (
  <Button leftSection={<IconPlus size={16} stroke={1.5} />} variant="default" onClick={onClick}>
    Add credentials
  </Button>
)

type DeleteCredentialProps = { doomed: NetworkCredential | undefined; onClose: () => void; onDeleted: () => void }

const DeleteCredential = (props: DeleteCredentialProps) => (
  <ConfirmDeletion
    {...props}
    title={`Delete ${props.doomed?.name ?? ''}`}
    verb="Delete credentials"
    remove={({ id }) => call(networkCredentials.remove, { params: { id } })}
    gone={() => 'On-Premises credentials was deleted successfully'}
  >
    Are you sure you want to delete the credentials {props.doomed?.name}?
  </ConfirmDeletion>
)

type Act = (credential: NetworkCredential) => void

const credentialsColumns = (edit: Act, remove: Act): Column<NetworkCredential>[] => [
  { key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id },
  {
    key: 'name',
    title: 'Name',
    sortable: true,
    grows: true,
    cell: ({ name, isPasswordLost }) => (
      <span className={classes.withChip}>
        <b className={classes.name}>{name}</b>
        {isPasswordLost && (
          <Chip icon={IconAlertTriangle} tone="warn" title="It was stored with another key than the server has now">
            Enter the password again
          </Chip>
        )}
      </span>
    ),
  },
  {
    key: 'action',
    title: 'Action',
    align: 'right',
    cell: (credential) => (
      <RowActions>
        <EditAction label={`Edit credentials ${credential.name}`} onClick={() => edit(credential)} />
        <RemoveAction label={`Delete credentials ${credential.name}`} onClick={() => remove(credential)} />
      </RowActions>
    ),
  },
]
