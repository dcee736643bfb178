import { type StorNextConfig, StorNextConfigDraft, storNextConfigs } from '#events/actions/storNext.ts'
import { useRemote } from '#client/app/remote.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { credentialsTable } from '#client/parts/settings-table/credentials.tsx'

type Fields = Record<'name' | 'host' | 'username' | 'password' | 'certificateFingerprint', string>

/** Users of Quantum StorNext web services. Username and password may be empty. */
export const storNextCredentialsTable = credentialsTable<StorNextConfig, Fields, StorNextConfigDraft>({
  of: 'Quantum StorNext',
  rows: rowsOf(storNextConfigs.list, 'storNextCredentials'),
  paging: { words: ['credential', 'credentials'], key: 'numberOfElementsStorNextCredentials' },
  calls: callsOf(storNextConfigs),
  empty: 'No credentials yet. A storage path configuration needs some.',
  inputs: [
    { name: 'name', label: 'Name' },
    {
      name: 'host',
      label: 'Host',
      description:
        'Name or address of the metadata controller, or the URL of its web services. They are reached over HTTPS, because requests contain the password. Enter http://, such as http://mdc.example.com:81, only if they have no HTTPS and the network is safe.',
      placeholder: 'mdc.example.com',
    },
    { name: 'username', label: 'Username', description: 'Leave empty if the web services require no sign-in.' },
    { name: 'password', label: 'Password', kind: 'secret' },
    {
      name: 'certificateFingerprint',
      label: 'Certificate fingerprint',
      description: "SHA-256 of the server's certificate. Leave empty if the agent's machine trusts its authority.",
    },
  ],
  schema: StorNextConfigDraft,
  fields: { name: '', host: '', username: '', password: '', certificateFingerprint: '' },
  fromRow: ({ name, host, username, certificateFingerprint }) => ({
    name,
    host,
    username: username ?? '',
    password: '',
    certificateFingerprint,
  }),
  toDraft: ({ username, password, ...fields }) => ({
    ...fields,
    username: username || null,
    password: password || null,
  }),
})

const byName = { query: { page: 1, size: 500, sort: 'name', direction: 'asc' } } as const

/** Reads the credentials by name. */
export const useStorNextCredentials = () => useRemote(storNextConfigs.list, byName, 'storNextCredentials')
