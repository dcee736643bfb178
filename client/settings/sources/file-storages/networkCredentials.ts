import { type NetworkCredential, NetworkCredentialDraft, networkCredentials } from '#events/sources/networkShares.ts'
import { call } from '#client/app/call.ts'
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

/** A user name and password that are typed with a new share. */
export type SignIn = { mountType: string; host: string; credentials: string; username: string; password: string }

/** True if a new share has a sign-in of its own instead of stored credentials. */
export const hasSignIn = ({ mountType, credentials, username }: Omit<SignIn, 'host' | 'password'>): boolean =>
  mountType === 'SMB' && credentials === '' && username.trim() !== ''

/** The user and domain of `STUDIO\\ana`. */
export function signInOf({ username, password }: Pick<SignIn, 'username' | 'password'>) {
  const [user = '', domain = ''] = username.trim().split('\\').toReversed()
  return { username: user, password, domain }
}

/** Stores the sign-in of a new share as credentials. Returns the fields that select them. */
export async function createSignIn(fields: SignIn) {
  if (!hasSignIn(fields)) return {}
  const { username, ...signIn } = signInOf(fields)
  const { elements } = await call(networkCredentials.list, { query: allByName })
  const name = `${username} on ${fields.host.trim()}`
  const isTaken = (name: string) => elements.some((one) => one.name.toLowerCase() === name.toLowerCase())
  const names = [name, ...elements.map((_, place) => `${name} ${place + 2}`)]
  const free = names.find((name) => !isTaken(name)) ?? name
  const { id } = await call(networkCredentials.create, { body: { ...signIn, name: free, username, options: '' } })
  return { credentials: String(id), username: '', password: '' }
}

export const useCredentials = () => useRemote(networkCredentials.list, { query: allByName }, 'networkCredentials')
