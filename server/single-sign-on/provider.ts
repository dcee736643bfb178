import * as oidc from 'openid-client'
import { outgoingFetch } from '#server/platform/outgoingFetch.ts'
import type { SingleSignOn } from '#server/singleSignOn.ts'
import { type Claims, withUserInfo } from './claims.ts'
import { failureOf, issuerWithSlash } from './failures.ts'

/** Timeout of the provider, in seconds. */
const timeoutSeconds = 10

const fetchOfProvider: oidc.CustomFetch = (url, options) => outgoingFetch(url, options as RequestInit)

export type Provider = () => Promise<oidc.Configuration>

/**
 * The provider, whose configuration is read at first use and again until that succeeds. An issuer may differ from OIDC_ISSUER by a
 * slash at its end. Throws `SignInRefusedError`.
 */
export function openProvider({ issuer, clientId, clientSecret }: SingleSignOn): Provider {
  const execute = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []
  const options = { execute, timeout: timeoutSeconds, [oidc.customFetch]: fetchOfProvider }
  const discover = async (address: string) => {
    const provider = await oidc.discovery(new URL(address), clientId, clientSecret, undefined, options)
    provider.timeout = timeoutSeconds
    return provider
  }
  let known: Promise<oidc.Configuration> | undefined
  const opened = () =>
    discover(issuer)
      .catch((error: unknown) => {
        const named = issuerWithSlash(error, issuer)
        if (named === undefined) throw error
        return discover(named)
      })
      .catch((error: unknown) => {
        known = undefined
        throw failureOf(error, 'discovery', issuer)
      })
  return () => (known ??= opened())
}

/** A sign-in in progress: the values its response must match. */
export type Attempt = { state: string; nonce: string; verifier: string }

export const newAttempt = (): Attempt => ({
  state: oidc.randomState(),
  nonce: oidc.randomNonce(),
  verifier: oidc.randomPKCECodeVerifier(),
})

/** `isAgain`: the provider has to ask for proof, even if the user is signed in there. */
type SignInOptions = { groupsClaims: readonly string[]; isAgain: boolean }

/** Address of the provider's sign-in page. */
export async function signInAddress(
  provider: oidc.Configuration,
  { state, nonce, verifier }: Attempt,
  callback: string,
  { groupsClaims, isAgain }: SignInOptions,
): Promise<URL> {
  // Some providers return the groups only for a scope of that name; others reject unknown scopes.
  const ofGroups = (provider.serverMetadata().scopes_supported ?? []).filter((scope) => groupsClaims.includes(scope))
  return oidc.buildAuthorizationUrl(provider, {
    redirect_uri: callback,
    scope: ['openid', 'profile', 'email', ...ofGroups].join(' '),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // Providers know one or both. With `max_age`, most also say when they did (`auth_time`).
    ...(isAgain && { prompt: 'login', max_age: '0' }),
  })
}

/** The claims about a user, and the reason why userinfo could not be read. */
type ReadClaims = { claims: Claims; userInfoFailure?: string }

/**
 * The provider's claims about a user who returned to this address. Userinfo adds claims that the ID token doesn't have; the sign-in does
 * not depend on it. Throws `SignInRefusedError`.
 */
export async function readClaims(
  provider: oidc.Configuration,
  { state, nonce, verifier }: Attempt,
  address: URL,
): Promise<ReadClaims> {
  const { issuer, userinfo_endpoint } = provider.serverMetadata()
  const expected = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  try {
    const tokens = await oidc.authorizationCodeGrant(provider, address, expected)
    const token = tokens.claims()
    if (!token) throw new Error('The provider sent no ID token')
    const claims: Claims = { ...token, iss: issuer, sub: token.sub }
    if (!userinfo_endpoint) return { claims }
    try {
      const more = await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)
      return { claims: withUserInfo(claims, more) }
    } catch (error) {
      return { claims, userInfoFailure: error instanceof Error ? error.message : String(error) }
    }
  } catch (error) {
    throw failureOf(error, 'response', issuer)
  }
}

/** The provider's page that ends its own session, if it has one. */
export function signOutAddress(provider: oidc.Configuration, backTo: string): URL | undefined {
  if (!provider.serverMetadata().end_session_endpoint) return undefined
  return oidc.buildEndSessionUrl(provider, { post_logout_redirect_uri: backTo })
}
