import { type NetworkCredential, NetworkCredentialDraft, networkCredentials } from '#events/sources/networkShares.ts'
import { useRemote } from '#client/app/remote.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { credentialsTable } from '#client/parts/settings-table/credentials.tsx'
import { secretOf } from '#client/parts/settings-table/form.ts'

type CredentialFields = { name: string; username: string; password: string; domain: string; options: string }

/** Credentials for network shares. */
export const networkCredentialsTable = credentialsTable<NetworkCredential, CredentialFields, NetworkCredentialDraft>({
  of: 'On-Premises',
  rows: rowsOf(networkCredentials.list, 'networkCredentials'),
  paging: { words: ['credential', 'credentials'], key: 'numberOfElementsOnPremisesCredentials' },
  calls: callsOf(networkCredentials),
  empty: "No credentials yet. Shares with guest access don't need any.",
  inputs: [
    { name: 'name', label: 'Name' },
    { name: 'username', label: 'Username' },
    { name: 'password', label: 'Password', kind: 'secret' },
    { name: 'domain', label: 'Domain', description: 'Optional' },
    {
      name: 'options',
      label: 'Options',
      description: 'Optional mount options for all of its shares, such as vers=3.0',
    },
  ],
  schema: NetworkCredentialDraft,
  fields: { name: '', username: '', password: '', domain: '', options: '' },
  fromRow: ({ name, username, domain, options }) => ({ name, username, password: '', domain, options }),
  toDraft: (fields, edited) => ({ ...fields, password: secretOf(fields.password, edited) }),
})

/** Users set up fewer credentials by hand than one page has. */
const byName = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const

export const useCredentials = () => useRemote(networkCredentials.list, { query: byName }, 'networkCredentials')
