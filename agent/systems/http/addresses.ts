import { BlockList, isIP } from 'node:net'

/**
 * Addresses at which clouds publish metadata of a machine, including keys. Any user who may type an endpoint must not read those through
 * the agent.
 */
const refused = new BlockList()
refused.addSubnet('169.254.0.0', 16, 'ipv4')
refused.addAddress('100.100.100.200', 'ipv4')
refused.addAddress('168.63.129.16', 'ipv4')
refused.addSubnet('fe80::', 10, 'ipv6')
refused.addAddress('fd00:ec2::254', 'ipv6')
refused.addAddress('fd20:ce::254', 'ipv6')
refused.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6')

/** True for an address, without brackets, to which no request may be sent. False for a name. */
export const isRefusedAddress = (address: string): boolean => {
  const version = isIP(address)
  return version !== 0 && refused.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

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
    return `must not be ${url.hostname}, where clouds keep the keys of their machines`
  return undefined
}
