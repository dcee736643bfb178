import * as oidc from 'openid-client'
import { outgoingFetch } from '#server/platform/outgoingFetch.ts'
import type { SingleSignOn } from '#server/platform/singleSignOn.ts'
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
type SignInOptions = { groupsClaims: readonly string[]; scopes: readonly string[]; isAgain: boolean }

/** Address of the provider's sign-in page. */
export async function signInAddress(
  provider: oidc.Configuration,
  { state, nonce, verifier }: Attempt,
  callback: string,
  { groupsClaims, scopes, isAgain }: SignInOptions,
): Promise<URL> {
  // Some providers return the groups only for a scope of that name; others reject unknown scopes.
  const ofGroups = (provider.serverMetadata().scopes_supported ?? []).filter((scope) => groupsClaims.includes(scope))
  return oidc.buildAuthorizationUrl(provider, {
    redirect_uri: callback,
    scope: [...new Set(['openid', 'profile', 'email', ...ofGroups, ...scopes])].join(' '),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // Providers know one or both. With `max_age`, most also say when they did (`auth_time`).
    ...(isAgain && { prompt: 'login', max_age: '0' }),
  })
}

/** The claims about a user, the reason why userinfo could not be read, and the token for asking again. */
type ReadClaims = { claims: Claims; userInfoFailure?: string | undefined; refreshToken?: string | undefined }

/**
 * The provider's claims about a user who returned to this address. Userinfo adds claims that the ID token doesn't have; the sign-in does
 * not depend on it. Throws `SignInRefusedError`.
 */
export async function readClaims(
  provider: oidc.Configuration,
  { state, nonce, verifier }: Attempt,
  address: URL,
): Promise<ReadClaims> {
  const expected = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  try {
    return await claimsIn(provider, await oidc.authorizationCodeGrant(provider, address, expected))
  } catch (error) {
    throw failureOf(error, 'response', provider.serverMetadata().issuer)
  }
}

/** The provider's current claims about a user, by the refresh token of a session. Throws `SignInRefusedError`. */
export async function refreshClaims(
  provider: oidc.Configuration,
  refreshToken: string,
  subject: string,
): Promise<ReadClaims> {
  try {
    return await claimsIn(provider, await oidc.refreshTokenGrant(provider, refreshToken), subject)
  } catch (error) {
    throw failureOf(error, 'response', provider.serverMetadata().issuer)
  }
}

type Tokens = Awaited<ReturnType<typeof oidc.refreshTokenGrant>>

/**
 * The claims of an ID token and of userinfo. A response to a refresh token may have no ID token; then userinfo has to be about
 * the known subject.
 */
async function claimsIn(provider: oidc.Configuration, tokens: Tokens, subject?: string): Promise<ReadClaims> {
  const { issuer, userinfo_endpoint } = provider.serverMetadata()
  const token = tokens.claims()
  const sub = token?.sub ?? subject
  if (sub === undefined || (subject !== undefined && sub !== subject))
    throw new Error('The provider sent no ID token of this user')
  const claims: Claims = { ...token, iss: issuer, sub }
  const refreshToken = tokens.refresh_token
  if (!userinfo_endpoint) return { claims, refreshToken }
  try {
    const more = await oidc.fetchUserInfo(provider, tokens.access_token, sub)
    return { claims: withUserInfo(claims, more), refreshToken }
  } catch (error) {
    return { claims, refreshToken, userInfoFailure: error instanceof Error ? error.message : String(error) }
  }
}

/** The provider's page that ends its own session, if it has one. */
export function signOutAddress(provider: oidc.Configuration, backTo: string): URL | undefined {
  if (!provider.serverMetadata().end_session_endpoint) return undefined
  return oidc.buildEndSessionUrl(provider, { post_logout_redirect_uri: backTo })
}
