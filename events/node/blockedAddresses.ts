import { BlockList, isIP } from 'node:net'

/** At these, clouds publish credentials and settings of their machines: all of link-local, Alibaba, Azure, Oracle, Amazon and Google. */
const metadataV4 = [
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
] as const
const metadataV6 = [
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
] as const

/**
 * Forms of IPv6 that reach an IPv4 address anywhere in their bits, and that no service uses: local NAT64 and Teredo. Also IPv4-compatible
 * addresses, obsolete since 2006, without the unspecified address and loopback.
 */
const tunnels = [
  ['64:ff9b:1::', 48],
  ['2001::', 32],
] as const
const compatible = ['::2', '::ffff:ffff'] as const

/** This machine, private networks, and addresses without a single receiver. */
const internalV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const
const internalV6 = [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fec0::', 10],
  ['ff00::', 8],
] as const

const metadata = new BlockList()
for (const [network, prefix] of metadataV4) {
  metadata.addSubnet(network, prefix)
  for (const [inV6, prefixV6] of embeddings(network, prefix)) metadata.addSubnet(inV6, prefixV6, 'ipv6')
}
for (const [network, prefix] of [...metadataV6, ...tunnels]) metadata.addSubnet(network, prefix, 'ipv6')
metadata.addRange(...compatible, 'ipv6')

const internal = new BlockList()
for (const [network, prefix] of internalV4) internal.addSubnet(network, prefix)
for (const [network, prefix] of internalV6) internal.addSubnet(network, prefix, 'ipv6')

/** An IPv4 network as NAT64, 6to4 and translated (SIIT) addresses of IPv6. `BlockList` itself recognizes mapped ones, `::ffff:a.b.c.d`. */
function embeddings(network: string, prefix: number): (readonly [string, number])[] {
  const [a = 0, b = 0, c = 0, d = 0] = network.split('.').map(Number)
  const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  return [
    [`64:ff9b::${hex}`, 96 + prefix],
    [`2002:${hex}::`, 16 + prefix],
    [`::ffff:0:${hex}`, 96 + prefix],
  ]
}

/**
 * `metadata`: blocked for everyone, because anyone who may enter an address could read a machine's credentials through it. `internal`:
 * hosts of the private network and of this machine, where only some users may connect to.
 */
export type BlockedAs = 'metadata' | 'internal'

/** The reason to block an IP address without brackets; undefined for public addresses and for names. The only such list, for agents and server. */
export function blockedAs(address: string): BlockedAs | undefined {
  const version = isIP(address)
  if (version === 0) return undefined
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (metadata.check(address, family)) return 'metadata'
  return internal.check(address, family) ? 'internal' : undefined
}
