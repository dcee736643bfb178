import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Role } from '#events/contract/needs.ts'

/** Addresses of cloud metadata services and other link-local addresses. */
const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16)
linkLocal.addSubnet('fe80::', 10, 'ipv6')
linkLocal.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6')
linkLocal.addAddress('fd00:ec2::254', 'ipv6')

/** Internal addresses: this machine, private networks, and addresses without a single receiver. */
const inner = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inner.addSubnet(network, prefix)
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['ff00::', 8],
] as const)
  inner.addSubnet(network, prefix, 'ipv6')

/** Returns the reason why a webhook of a user with these roles may not use an address; undefined if it may. */
export function refusedAddress(address: string, roles: readonly Role[]): string | undefined {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (linkLocal.check(address, family)) return 'must not be a link-local address'
  if (roles.includes('ROLE_ADMIN') || !inner.check(address, family)) return undefined
  return 'must not be an internal address; only administrators may use one'
}

/** Same for a whole address whose host is an IP address; host names are checked when it is sent. */
export function refusedHost(webhook: string, roles: readonly Role[]): string | undefined {
  const host = new URL(webhook).hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? refusedAddress(host, roles) : undefined
}
