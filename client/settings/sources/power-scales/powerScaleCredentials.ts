import {
  type PowerScaleCredential,
  PowerScaleCredentialDraft,
  powerScaleCredentials,
} from '#events/sources/powerScales.ts'
import { useRemote } from '#client/app/remote.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { credentialsTable } from '#client/parts/settings-table/credentials.tsx'
import { secretOf } from '#client/parts/settings-table/form.ts'

type CredentialFields = { name: string; username: string; password: string }

/** Users of the API of clusters. */
export const powerScaleCredentialsTable = credentialsTable<
  PowerScaleCredential,
  CredentialFields,
  PowerScaleCredentialDraft
>({
  of: 'Dell PowerScale',
  rows: rowsOf(powerScaleCredentials.list, 'powerScaleCredentials'),
  paging: { words: ['credential', 'credentials'], key: 'numberOfElementsPowerScaleCredentials' },
  calls: callsOf(powerScaleCredentials),
  empty: 'No credentials yet. A Dell PowerScale storage needs some.',
  inputs: [
    { name: 'name', label: 'Name' },
    { name: 'username', label: 'Username' },
    { name: 'password', label: 'Password', kind: 'secret' },
  ],
  schema: PowerScaleCredentialDraft,
  fields: { name: '', username: '', password: '' },
  fromRow: ({ name, username }) => ({ name, username, password: '' }),
  toDraft: (fields, edited) => ({ ...fields, password: secretOf(fields.password, edited) }),
})

/** Users set up fewer credentials by hand than one page has. */
const byName = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const

export const usePowerScaleCredentials = () =>
  useRemote(powerScaleCredentials.list, { query: byName }, 'powerScaleCredentials')
