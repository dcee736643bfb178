import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Platform } from '#server/platform/platform.ts'
import { signText } from '#server/platform/secrets.ts'
import type { Cookies } from '#server/platform/http/route.ts'

/** Browsers are forgotten this long after their last sign-in. */
const knownForMs = 180 * 86_400_000

type Keys = Platform['config']

/** One for each account, so several people can share a browser. */
const cookieOf = (userId: number): string => `KNOWN_${userId}`

/**
 * Marks a browser as signed in to an account before, so password guessing elsewhere doesn't lock it out. The cookie
 * grants no access: its holder still needs the password.
 */
export async function rememberBrowser(config: Keys, cookies: Cookies, userId: number, now = new Date()): Promise<void> {
  const payload = `${randomBytes(16).toString('base64url')}.${now.getTime() + knownForMs}`
  cookies.set(cookieOf(userId), `${payload}.${await signatureOf(config, userId, payload)}`, knownForMs)
}

/** Returns the mark of a browser that signed in to this account before; undefined for all others. */
export async function knownBrowser(
  config: Keys,
  cookies: Cookies,
  userId: number,
  now = new Date(),
): Promise<string | undefined> {
  const [id = '', until = '', signature = ''] = (cookies.get(cookieOf(userId)) ?? '').split('.')
  if (!signature || !(Number(until) > now.getTime())) return undefined
  const [given, right] = [signature, await signatureOf(config, userId, `${id}.${until}`)].map((text) =>
    Buffer.from(text),
  )
  return given && right && given.length === right.length && timingSafeEqual(given, right) ? id : undefined
}

const signatureOf = (config: Keys, userId: number, payload: string): Promise<string> =>
  signText(config, 'known browser', `${userId}.${payload}`)
