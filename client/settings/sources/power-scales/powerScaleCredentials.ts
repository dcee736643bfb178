import {
  type PowerScaleCredential,
  PowerScaleCredentialDraft,
  powerScaleCredentials,
} from '#events/sources/powerScales.ts'
import { useRemote } from '#client/app/remote.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { credentialsTable } from '#client/parts/settings-table/credentials.tsx'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'

/** Users of the API of clusters. */
export const powerScaleCredentialsTable = credentialsTable({
  of: 'Dell PowerScale',
  rows: rowsOf(powerScaleCredentials.list, 'powerScaleCredentials'),
  paging: { words: ['credential', 'credentials'], key: 'numberOfElementsPowerScaleCredentials' },
  calls: callsOf(powerScaleCredentials),
  empty: 'No credentials yet. A Dell PowerScale storage needs some.',
  form: describeForm<PowerScaleCredential, PowerScaleCredentialDraft>()({
    schema: PowerScaleCredentialDraft,
    fields: {
      name: { label: 'Name', initial: '' },
      username: { label: 'Username', initial: '' },
      password: { label: 'Password', kind: 'secret', initial: '' },
    },
  }),
})

/** Users set up fewer credentials by hand than one page has. */
const byName = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const

export const usePowerScaleCredentials = () =>
  useRemote(powerScaleCredentials.list, { query: byName }, 'powerScaleCredentials')
