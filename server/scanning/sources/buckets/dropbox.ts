import { createHash } from 'node:crypto'
import type { Config } from '#server/platform/config.ts'
import { conflict, invalid } from '#server/platform/problem.ts'
import { signText } from '#server/platform/secrets.ts'
import { refusalOf, requestToken, unanswered } from '#server/platform/tokenRequest.ts'

const authorizeAddress = 'https://www.dropbox.com/oauth2/authorize'

/** Scopes for a scan: names of files and folders, the available space, and the names of other users. */
const scopes = 'files.metadata.read account_info.read sharing.read'

/** Address where this user gets a code that `signInBy` accepts from that user only; null without an app key. */
export async function codeAddress(config: Config, userId: number): Promise<string | null> {
  if (config.dropboxAppKey === undefined) return null
  const challenge = createHash('sha256')
    .update(await verifierOf(config, userId))
    .digest('base64url')
  const asked = new URLSearchParams({
    client_id: config.dropboxAppKey,
    response_type: 'code',
    token_access_type: 'offline',
    scope: scopes,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  return `${authorizeAddress}?${asked}`
}

/** Proof that this server requested a code for this user. It can be recomputed, so nothing is stored. */
const verifierOf = (config: Config, userId: number): Promise<string> => signText(config, 'dropbox-code', String(userId))

/** Throws 409 without an app key of Dropbox. */
export const appKeyOf = ({ dropboxAppKey }: Config): string =>
  dropboxAppKey ?? conflict('Dropbox cannot be set up: this server has no app key. Set DROPBOX_APP_KEY', 'dropbox')

/**
 * Exchanges the one-time code of a user for a permanent sign-in: the refresh token and its app key. Throws 400 for a
 * code that Dropbox refuses, 409 without an app key, and 502 if Dropbox does not respond.
 */
export async function signInBy(
  config: Config,
  userId: number,
  code: string,
): Promise<{ accessKey: string; privateKey: string }> {
  const appKey = appKeyOf(config)
  const verifier = await verifierOf(config, userId)
  const form = { grant_type: 'authorization_code', code, client_id: appKey, code_verifier: verifier }
  const { status, answer } = await requestToken(`${config.dropboxApi}/oauth2/token`, form, 'Dropbox')
  if (answer.refresh_token !== undefined) return { accessKey: answer.refresh_token, privateKey: appKey }
  if (status >= 500 || status === 429) throw unanswered(`Dropbox is too busy (status ${status}). Get a new code later`)
  if (/client/.test(answer.error ?? '')) conflict('Dropbox does not know the app key in DROPBOX_APP_KEY', 'dropbox')
  return invalid('code', `was refused by Dropbox: ${refusalOf(answer, Object.values(form))}. Get a new code`)
}
