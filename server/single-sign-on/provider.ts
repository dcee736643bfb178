import * as oidc from 'openid-client'
import { ProxyFailed } from '#events/machine/proxiedAgent.ts'
import { outgoingFetch } from '#server/platform/outgoingFetch.ts'
import type { SingleSignOn } from '#server/singleSignOn.ts'
import { SignInRefusedError } from './signInRefusedError.ts'

/** Timeout of the provider, in seconds. */
const timeoutSeconds = 10

const fetchOfProvider: oidc.CustomFetch = (url, options) => outgoingFetch(url, options as RequestInit)

export type Provider = () => Promise<oidc.Configuration>

/** The provider, whose configuration is read at first use and again until that succeeds. Throws `SignInRefusedError`. */
export function openProvider({ issuer, clientId, clientSecret }: SingleSignOn): Provider {
  const execute = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []
  let known: Promise<oidc.Configuration> | undefined
  const discover = async () => {
    try {
      const options = { execute, timeout: timeoutSeconds, [oidc.customFetch]: fetchOfProvider }
      const provider = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, options)
      provider.timeout = timeoutSeconds
      return provider
    } catch (error) {
      known = undefined
      throw new SignInRefusedError('unreachable', error)
    }
  }
  return () => (known ??= discover())
}

/** A sign-in in progress: the values its response must match. */
export type Attempt = { state: string; nonce: string; verifier: string }

export const newAttempt = (): Attempt => ({
  state: oidc.randomState(),
  nonce: oidc.randomNonce(),
  verifier: oidc.randomPKCECodeVerifier(),
})

/** Address of the provider's sign-in page. */
export async function signInAddress(
  provider: oidc.Configuration,
  { state, nonce, verifier }: Attempt,
  callback: string,
  groupsClaim: string,
): Promise<URL> {
  // Some providers return the groups only for a scope of that name; others reject unknown scopes.
  const ofGroups = (provider.serverMetadata().scopes_supported ?? []).filter((scope) => scope === groupsClaim)
  return oidc.buildAuthorizationUrl(provider, {
    redirect_uri: callback,
    scope: ['openid', 'profile', 'email', ...ofGroups].join(' '),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
}

/** The provider's claims about a user who returned to this address. Throws `SignInRefusedError`. */
export async function readClaims(provider: oidc.Configuration, { state, nonce, verifier }: Attempt, address: URL) {
  try {
    const tokens = await oidc.authorizationCodeGrant(provider, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('The provider sent no ID token')
    const { issuer, userinfo_endpoint } = provider.serverMetadata()
    const more = userinfo_endpoint ? await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub) : {}
    return { ...claims, ...more, iss: issuer, sub: claims.sub } as Claims
  } catch (error) {
    throw new SignInRefusedError(isUnreachable(error) ? 'unreachable' : 'unconfirmed', error)
  }
}
export type Claims = Record<string, unknown> & { iss: string; sub: string }

const isUnreachable = (error: unknown): boolean =>
  error instanceof ProxyFailed ||
  (error instanceof Error && (error.message === 'fetch failed' || ('code' in error && error.code === 'OAUTH_TIMEOUT')))

/** The provider's page that ends its own session, if it has one. */
export function signOutAddress(provider: oidc.Configuration, backTo: string): URL | undefined {
  if (!provider.serverMetadata().end_session_endpoint) return undefined
  return oidc.buildEndSessionUrl(provider, { post_logout_redirect_uri: backTo })
}
