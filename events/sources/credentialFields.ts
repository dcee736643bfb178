import { z } from 'zod'
import { nameText } from '#events/contract/names.ts'

export const betweenCharacters = (min: number, max: number): string => `must be between ${min} and ${max} characters`

/** One line of text, such as a name or a password: a line break in it could start another line of a file or a header. */
export const line = (min: number, max: number) =>
  z
    .string()
    .min(min, betweenCharacters(min, max))
    .max(max, betweenCharacters(min, max))
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')

/** Name of credentials. */
export const credentialName = nameText({ blank: betweenCharacters(1, 255), long: betweenCharacters(1, 255) })

/** SHA-256 as 64 hexadecimal digits, with or without colons. */
const sha256 = /^([0-9a-f]{2}:?){31}[0-9a-f]{2}$/i

/**
 * SHA-256 of the one certificate that a system may show, as Node.js writes it: `AB:CD:…`. Empty, the certificate has to come from
 * an authority that the agent's machine trusts.
 */
export const CertificateFingerprint = z
  .string()
  .trim()
  .max(255, 'must be 64 hexadecimal digits, with or without colons')
  .refine((text) => text === '' || sha256.test(text), 'must be 64 hexadecimal digits, with or without colons')
  .nullable()
  .default('')
  .transform((text) => {
    const digits = (text ?? '').replaceAll(':', '').toUpperCase()
    return digits.replaceAll(/..(?!$)/g, '$&:')
  })

/** Fault of an access key, which is sent in a header. Keys are often pasted from files, with their quotes or half of another line. */
export const keyFault = (key: string): string | undefined =>
  /^[!#-&(-~]*$/.test(key) ? undefined : 'must be the key alone, without spaces, quotes or line breaks'

/** Fault of a secret that no provider issues: an invisible character, such as a line break within a copied text. */
export const secretFault = (secret: string | null): string | undefined =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(secret ?? '') ? 'must not contain line breaks or invisible characters' : undefined

/** Fault in a connection string of Azure, if any. The string is not repeated, because it contains a key. */
export const connectionStringFault = (text: string): string | undefined =>
  /(^|;)\s*(AccountName|BlobEndpoint)\s*=\s*[^;\s]/i.test(text)
    ? undefined
    : 'must contain AccountName= or BlobEndpoint=, as the Azure portal shows it'

/** Fault in the address of a service, if any. */
export function urlFault(url: string): string | undefined {
  if (url === '') return 'must be between 1 and 255 characters'
  const { protocol = '', username = '', password = '', search = '', hash = '' } = URL.parse(url) ?? {}
  if (protocol !== 'http:' && protocol !== 'https:') return 'must be an address that begins with https:// or http://'
  if (username || password) return 'must not contain a user or a password'
  return search || hash ? 'must not contain ? or #' : undefined
}
