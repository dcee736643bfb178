import { sign } from 'node:crypto'
import { z } from 'zod'
import { readOutside } from '#events/contract/readOutside.ts'
import type { ProxySettings } from '#events/node/proxy.ts'
import { Problem } from '#server/platform/problem.ts'
import { refusalOf, requestToken } from '#server/platform/tokenRequest.ts'
import { NotSent } from './notSent.ts'

/**
 * Credentials of an application that sends as a user. `secret` is the client secret at Microsoft, or the JSON file of a service
 * account's key at Google. `host` is the mail server; `tokenUrl` replaces the provider's address.
 */
export type MailApplication = {
  provider: 'microsoft' | 'google'
  user: string
  host: string
  tenant: string
  clientId: string
  secret: string
  tokenUrl: string | undefined
}

type TokenCall = { called: string; address: string; form: Record<string, string>; secret: string; advice: string }

/** Seconds before its end in which a token isn't used any longer. */
const marginSeconds = 300
const defaultSeconds = 3_600

type CachedToken = { key: string; until: number; token: Promise<string> }
let cached: CachedToken | undefined

/** Returns an access token for XOAUTH2, the same until shortly before it expires. Throws `NotSent`. */
export function accessToken(application: MailApplication, proxies: ProxySettings): Promise<string> {
  const key = JSON.stringify(application)
  if (cached?.key !== key || cached.until <= Date.now()) cached = cachedFrom(key, newToken(application, proxies))
  return cached.token
}

function cachedFrom(key: string, requested: Promise<NewToken>): CachedToken {
  const added: CachedToken = {
    key,
    until: Infinity,
    token: requested.then(({ token, seconds }) => {
      added.until = Date.now() + Math.max(0, seconds - marginSeconds) * 1_000
      return token
    }),
  }
  added.token.catch(forgetToken)
  return added
}

/** Called after a failed sign-in: rights that were granted since are only in a new token. */
export function forgetToken(): void {
  cached = undefined
}

type NewToken = { token: string; seconds: number }

async function newToken(application: MailApplication, proxies: ProxySettings): Promise<NewToken> {
  const { called, address, form, secret, advice } =
    application.provider === 'microsoft' ? callOfMicrosoft(application) : callOfGoogle(application)
  const { status, answer } = await requestToken(address, form, called, proxies).catch((error: unknown) => {
    throw error instanceof Problem ? new NotSent(error.message, { cause: error }) : error
  })
  if (answer.access_token !== undefined)
    return { token: answer.access_token, seconds: answer.expires_in ?? defaultSeconds }
  if (status >= 500 || status === 429) throw new NotSent(`${called} is too busy (status ${status})`)
  throw new NotSent(`${called} refused the sign-in of the application: ${refusalOf(answer, [secret])}. ${advice}`)
}

// The addresses and scopes below are from the documentation of Exchange Online and Google Workspace. None was tried with an account.

/** Clouds of Microsoft by the mail server's host, with the addresses of the sign-in and of Exchange Online. */
const nationalClouds: [RegExp, string, string][] = [
  [/\.office365\.us$/i, 'https://login.microsoftonline.us', 'https://outlook.office365.us'],
  [/\.outlook\.cn$/i, 'https://login.chinacloudapi.cn', 'https://partner.outlook.cn'],
]
const publicCloud = ['', 'https://login.microsoftonline.com', 'https://outlook.office365.com'] as const

/** The client credentials grant: the application has a secret of its own. */
function callOfMicrosoft({ tenant, clientId, secret, host, tokenUrl }: MailApplication): TokenCall {
  if (tenant === '' || clientId === '' || secret === '')
    throw new NotSent('Enter the tenant, the client ID and the client secret for Microsoft 365 in the email settings')
  const [, signIn, outlook] = nationalClouds.find(([hosts]) => hosts.test(host)) ?? publicCloud
  return {
    called: 'Microsoft',
    address: tokenUrl ?? `${signIn}/${tenant}/oauth2/v2.0/token`,
    form: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
      scope: `${outlook}/.default`,
    },
    secret,
    advice: 'Check the tenant, the client ID and the client secret in the email settings',
  }
}

const googleTokenUrl = 'https://oauth2.googleapis.com/token'
const googleScope = 'https://mail.google.com/'

/** The JSON file of a service account's key. */
const ServiceKey = z.object({ client_email: z.string().min(1), private_key: z.string().min(1) })

/** The JWT bearer grant: a service account with domain-wide delegation signs that it acts for the user. */
function callOfGoogle({ user, secret: serviceKey, tokenUrl }: MailApplication): TokenCall {
  if (serviceKey === '') throw new NotSent('Enter the service account key of Google in the email settings')
  // A clock that is a little fast doesn't matter.
  const issuedAt = Math.floor(Date.now() / 1_000) - 60
  const assertion = signedBy(serviceKey, (issuer) => ({
    iss: issuer,
    sub: user,
    scope: googleScope,
    aud: googleTokenUrl,
    iat: issuedAt,
    exp: issuedAt + 3_600,
  }))
  return {
    called: 'Google',
    address: tokenUrl ?? googleTokenUrl,
    form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
    secret: assertion,
    advice: `Check that domain-wide delegation allows the service account the scope ${googleScope} for ${user}`,
  }
}

/** A JWT about the claims for the owner of a key. */
function signedBy(serviceKey: string, claimsOf: (issuer: string) => object): string {
  try {
    const { client_email: issuer, private_key: key } = readOutside(ServiceKey, JSON.parse(serviceKey)).data ?? {}
    const parts = [{ alg: 'RS256', typ: 'JWT' }, claimsOf(issuer ?? '')]
    const unsigned = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return `${unsigned}.${sign('RSA-SHA256', Buffer.from(unsigned), key ?? '').toString('base64url')}`
  } catch {
    // Leaves the error out: it may contain parts of the key.
    throw new NotSent(
      'The service account key of Google is not valid. Enter the whole JSON file of the key in the email settings',
    )
  }
}
