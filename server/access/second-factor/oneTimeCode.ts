import { Secret, TOTP } from 'otpauth'
import { productName } from '#server/platform/config.ts'

/** Parameters that every authenticator app supports (RFC 6238): SHA-1, six digits, 30 seconds. */
const rules = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Codes before and after the current one that are accepted, for clocks that differ by up to 30 seconds. */
const window = 1

/** A new secret of 160 bits in base32. */
export const makeSecret = (): string => new Secret({ size: 20 }).base32

/** The secret as an address for QR codes; apps show the product and the name of the account. */
export const addressOfSecret = (secret: string, account: string): string =>
  new TOTP({ ...rules, issuer: productName, label: account, secret }).toString()

/** True for a text of six digits; spaces are ignored. */
export const isOneTimeCode = (text: string): boolean => /^\d{6}$/.test(withoutSpaces(text))

/**
 * Number of the 30 seconds since 1970 that a code belongs to; undefined for a wrong or outdated code. `now`: Unix time in
 * milliseconds.
 */
export function stepOfCode(secret: string, code: string, now = Date.now()): number | undefined {
  const totp = new TOTP({ ...rules, secret })
  const offset = totp.validate({ token: withoutSpaces(code), window, timestamp: now })
  return offset === null ? undefined : totp.counter({ timestamp: now }) + offset
}

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '')
