import {
  type PowerScaleCredential,
  PowerScaleCredentialDraft,
  powerScaleCredentials,
} from '#events/sources/powerScales.ts'
import { useRemote } from '#client/app/remote.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { credentialsTable } from '#client/parts/settings-table/credentials.tsx'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { allByName } from '#client/parts/pagination/pageSizes.ts'

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

export const usePowerScaleCredentials = () =>
  useRemote(powerScaleCredentials.list, { query: allByName }, 'powerScaleCredentials')
