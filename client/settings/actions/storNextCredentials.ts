import { type StorNextConfig, StorNextConfigDraft, storNextConfigs } from '#events/actions/storNext.ts'
import { useRemote } from '#client/app/remote.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { certificateField, credentialsTable } from '#client/parts/settings-table/credentials.tsx'
import { allByName } from '#client/parts/pagination/pageSizes.ts'

/** Users of Quantum StorNext web services. Username and password may be empty. */
export const storNextCredentialsTable = credentialsTable({
  of: 'Quantum StorNext',
  rows: rowsOf(storNextConfigs.list, 'storNextCredentials'),
  paging: { words: ['credential', 'credentials'], key: 'numberOfElementsStorNextCredentials' },
  calls: callsOf(storNextConfigs),
  empty: 'No credentials yet. A storage path configuration needs some.',
  form: describeForm<StorNextConfig, StorNextConfigDraft>()({
    schema: StorNextConfigDraft,
    fields: {
      name: { label: 'Name', initial: '' },
      host: {
        label: 'Host',
        description:
          'Name or address of the metadata controller, or the URL of its web services. They are reached over HTTPS, because requests contain the password. Enter http://, such as http://mdc.example.com:81, only if they have no HTTPS and the network is safe.',
        placeholder: 'mdc.example.com',
        initial: '',
      },
      username: {
        label: 'Username',
        description: 'Leave empty if the web services require no sign-in.',
        initial: '',
        read: ({ username }) => username ?? '',
        write: (username) => username || null,
      },
      password: { label: 'Password', kind: 'secret', initial: '', write: (password) => password || null },
      certificateFingerprint: certificateField,
    },
  }),
})

/** Reads the credentials by name. */
export const useStorNextCredentials = () => useRemote(storNextConfigs.list, { query: allByName }, 'storNextCredentials')
