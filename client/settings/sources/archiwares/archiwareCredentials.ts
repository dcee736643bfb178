import {
  type ArchiwareCredential,
  archiwareCredentialCheck,
  ArchiwareCredentialDraft,
  archiwareCredentials,
} from '#events/sources/archiwares.ts'
import type { SourceField } from '#events/sources/sourceField.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import type { Connection } from '#client/parts/settings-table/connectionCheck.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { certificateField, credentialsTable } from '#client/parts/settings-table/credentials.tsx'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { allByName } from '#client/parts/pagination/pageSizes.ts'

const form = describeForm<ArchiwareCredential, ArchiwareCredentialDraft>()({
  schema: ArchiwareCredentialDraft,
  fields: {
    name: { label: 'Name', initial: '' },
    username: { label: 'Username', initial: '' },
    password: { label: 'Password', kind: 'secret', initial: '' },
    url: { label: 'URL', type: 'url', placeholder: 'https://p5.example.com:8443', initial: 'http://' },
    certificateFingerprint: certificateField,
  },
})

/** Has the built-in agent sign in at the server. */
const connection: Connection<typeof form.fields, ArchiwareCredential> = {
  keyOf: ({ name: _, ...signIn }) => signIn,
  async check(fields, edited) {
    const body = { id: edited === 'new' ? null : edited.id, draft: form.toDraft(fields, edited) }
    const { reason, field } = await call(archiwareCredentialCheck, { body })
    if (reason === null) return {}
    return { [inputs[field ?? 'host'] ?? 'url']: reason }
  },
}

/** Inputs of the fields that an agent names. */
const inputs: Partial<Record<SourceField, keyof typeof form.fields>> = {
  credentials: 'password',
  certificateFingerprint: 'certificateFingerprint',
}

/** Users of P5 servers. */
export const archiwareCredentialsTable = credentialsTable({
  of: 'Archiware P5',
  rows: rowsOf(archiwareCredentials.list, 'archiwareCredentials'),
  paging: { words: ['credential', 'credentials'], key: 'numberOfElementsArchiwareCredentials' },
  calls: callsOf(archiwareCredentials),
  connection,
  empty: 'No credentials yet. An Archiware P5 index needs some.',
  form,
})

/** Reads the credentials by name; nothing without the bundle. */
export function useArchiwareCredentials() {
  const isLicensed = useLicence()
  const input = isLicensed('archiwareP5') ? { query: allByName } : undefined
  return useRemote(archiwareCredentials.list, input, 'archiwareCredentials')
}
