import { type NetworkCredential, NetworkCredentialDraft, networkCredentials } from '#events/sources/networkShares.ts'
import { useRemote } from '#client/app/remote.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { credentialsTable } from '#client/parts/settings-table/credentials.tsx'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { allByName } from '#client/parts/pagination/pageSizes.ts'

/** Credentials for network shares. */
export const networkCredentialsTable = credentialsTable({
  of: 'On-Premises',
  rows: rowsOf(networkCredentials.list, 'networkCredentials'),
  paging: { words: ['credential', 'credentials'], key: 'numberOfElementsOnPremisesCredentials' },
  calls: callsOf(networkCredentials),
  empty: "No credentials yet. Shares with guest access don't need any.",
  form: describeForm<NetworkCredential, NetworkCredentialDraft>()({
    schema: NetworkCredentialDraft,
    fields: {
      name: { label: 'Name', initial: '' },
      username: { label: 'Username', initial: '' },
      password: { label: 'Password', kind: 'secret', initial: '' },
      domain: { label: 'Domain', description: 'Optional', initial: '' },
      options: {
        label: 'Options',
        description: 'Optional mount options for all of its shares, such as vers=3.0',
        initial: '',
      },
    },
  }),
})

export const useCredentials = () => useRemote(networkCredentials.list, { query: allByName }, 'networkCredentials')
