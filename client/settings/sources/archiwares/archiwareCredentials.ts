import { type ArchiwareCredential, ArchiwareCredentialDraft, archiwareCredentials } from '#events/sources/archiwares.ts'
import { useRemote } from '#client/app/remote.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { credentialsTable } from '#client/parts/settings-table/credentials.tsx'
import { secretOf } from '#client/parts/settings-table/form.ts'

type CredentialFields = Record<'name' | 'username' | 'password' | 'url' | 'certificateFingerprint', string>

/** Users of P5 servers. */
export const archiwareCredentialsTable = credentialsTable<
  ArchiwareCredential,
  CredentialFields,
  ArchiwareCredentialDraft
>({
  of: 'Archiware P5',
  rows: rowsOf(archiwareCredentials.list, 'archiwareCredentials'),
  paging: { words: ['credential', 'credentials'], key: 'numberOfElementsArchiwareCredentials' },
  calls: callsOf(archiwareCredentials),
  empty: 'No credentials yet. An Archiware P5 index needs some.',
  inputs: [
    { name: 'name', label: 'Name' },
    { name: 'username', label: 'Username' },
    { name: 'password', label: 'Password', kind: 'secret' },
    { name: 'url', label: 'URL', type: 'url', placeholder: 'https://p5.example.com:8443' },
    {
      name: 'certificateFingerprint',
      label: 'Certificate fingerprint',
      description: "SHA-256 of the server's certificate. Leave empty if the agent's machine trusts its authority.",
    },
  ],
  schema: ArchiwareCredentialDraft,
  fields: { name: '', username: '', password: '', url: 'http://', certificateFingerprint: '' },
  fromRow: ({ name, username, url, certificateFingerprint }) => ({
    name,
    username,
    password: '',
    url,
    certificateFingerprint,
  }),
  toDraft: (fields, edited) => ({ ...fields, password: secretOf(fields.password, edited) }),
  labels: { url: 'URL' },
})

/** Users set up fewer credentials by hand than one page has. */
const byName = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const

/** Reads the credentials by name; nothing without the bundle. */
export function useArchiwareCredentials() {
  const isLicensed = useLicence()
  const input = isLicensed('archiwareP5') ? { query: byName } : undefined
  return useRemote(archiwareCredentials.list, input, 'archiwareCredentials')
}
