import { IconAlertTriangle, IconKey } from '@tabler/icons-react'
import type { Column } from '#client/ui/table/column.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import type { SettingsTable } from './declaration.ts'
import type { TableForm } from './form.ts'

type Credential = { id: number; name: string; isPasswordLost: boolean }

type Credentials<T extends Credential, D> = Required<
  Pick<SettingsTable<T, D, { id: number }>, 'rows' | 'paging' | 'calls'>
> &
  Pick<SettingsTable<T, D, { id: number }>, 'connection'> & {
    form: Omit<TableForm<T, D>, 'saved'>
    /** Kind of the credentials: "On-Premises". */
    of: string
    /** Text of the empty state. */
    empty: string
  }

/** A table of credentials of one kind. Secrets are never shown. */
export function credentialsTable<T extends Credential, D>(declared: Credentials<T, D>) {
  const { of, empty, rows, paging, calls, connection, form } = declared
  const label = `${of} credentials`
  return {
    label,
    rows,
    sort: { field: 'id', direction: 'asc' },
    paging,
    calls,
    ...(connection && { connection }),
    columns: credentialColumns,
    empty: { icon: IconKey, text: empty },
    adding: { label: 'Add credentials' },
    editing: { label: ({ name }) => `Edit credentials ${name}` },
    opens: {
      at: 'dialog',
      title: (edited) => `${edited === 'new' ? 'Add' : 'Edit'} ${of} Credentials`,
      saves: (edited) => (edited === 'new' ? 'Add credentials' : 'Save credentials'),
    },
    form: { ...form, saved: (_, edited) => `${label} was ${edited === 'new' ? 'created' : 'updated'} successfully` },
    deletion: {
      label: ({ name }) => `Delete credentials ${name}`,
      title: ({ name }) => `Delete ${name}`,
      verb: 'Delete credentials',
      question: ({ name }) => `Are you sure you want to delete the credentials ${name}?`,
      deleted: () => `${label} was deleted successfully`,
      staysOnFailure: true,
    },
  } satisfies SettingsTable<T, D, { id: number }>
}

/** Trusts one certificate of a server. */
export const certificateField = {
  label: 'Certificate fingerprint',
  description: "SHA-256 of the server's certificate. Leave empty if the agent's machine trusts its authority.",
  initial: '',
}

const credentialColumns: Column<Credential>[] = [
  { key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id },
  {
    key: 'name',
    title: 'Name',
    sortable: true,
    grows: true,
    cell: ({ name, isPasswordLost }) => (
      <span className="inline gap-8">
        <b className="strong">{name}</b>
        {isPasswordLost && (
          <Chip
            icon={IconAlertTriangle}
            tone="warn"
            title="It was encrypted with a different key than the server has now"
          >
            Enter the password again
          </Chip>
        )}
      </span>
    ),
  },
]
