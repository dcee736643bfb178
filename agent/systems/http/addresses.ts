import { blockedAs } from '#events/node/blockedAddresses.ts'

/** True for an address, without brackets, to which no request may be sent. Stores may be on internal hosts. False for a name. */
export const isRefusedAddress = (address: string): boolean => blockedAs(address) === 'metadata'

/** A host that is, or resolves to, an address that is refused. */
export class RefusedAddress extends Error {}

/** Fault in the address of a store, in words that follow 'The URL'; undefined for a valid one. */
export function addressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return "is not complete: it begins with 'https://' or 'http://' and names a host"
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return "must begin with 'https://' or 'http://'"
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password'
  if (url.search !== '' || url.hash !== '') return "must not hold '?' or '#'"
  if (isRefusedAddress(url.hostname.replace(/^\[|\]$/g, '')))
    return `must not be ${url.hostname}, a cloud metadata address, which is blocked`
  return undefined
}
