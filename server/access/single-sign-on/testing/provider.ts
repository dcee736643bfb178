import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A real OpenID provider as a separate process, on the given port. Anyone can sign in with any password using the names
 * in the file, which is read for each request: `{ "<subject>": { <claims> } }`. Users with the claim `noRefresh` get no
 * refresh token. `keys` is a JSON file with the keys that sign tokens. Prints its address once it listens.
 */
const [port = '0', accounts = '', product = '', keys = ''] = process.argv.slice(2)

type Provider = new (issuer: string, configuration: object) => { callback(): RequestListener }
// It has no types.
const name: string = 'oidc-provider'
const { Provider } = (await import(name)) as { Provider: Provider }

const claimsOf = (sub: string): Record<string, unknown> => ({ sub, ...JSON.parse(readFileSync(accounts, 'utf8'))[sub] })

const server = createServer()
server.listen(Number(port), '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'dataintell',
      client_secret: 'a secret of the tests',
      redirect_uris: [`${product}/api/oidc/callback`],
      post_logout_redirect_uris: [`${product}/login`],
      require_auth_time: true,
      backchannel_logout_uri: `${product}/api/oidc/back-channel-logout`,
      backchannel_logout_session_required: true,
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  issueRefreshToken: (_: unknown, __: unknown, { accountId }: { accountId: string }) =>
    !claimsOf(accountId)['noRefresh'],
  jwks: JSON.parse(readFileSync(keys, 'utf8')),
  features: { backchannelLogout: { enabled: true } },
  // Its own protection refuses addresses of this machine.
  fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) => fetch(url, options),
  claims: {
    openid: ['sub'],
    profile: ['preferred_username'],
    email: ['email'],
    groups: ['groups', 'resource_access', '_claim_names'],
  },
  pkce: { required: () => true },
  findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => claimsOf(sub) }),
  cookies: { keys: ['a key of the tests'] },
})
server.on('request', provider.callback())
process.stdout.write(`listens at ${issuer}\n`)
