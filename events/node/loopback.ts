import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Returns whether a host is this machine, not just something that starts like it: an address, in brackets or not, or
 * `localhost`.
 */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1').replace(/^::ffff:/i, '')
  const version = isIP(address)
  return version === 0 ? host.toLowerCase() === 'localhost' : loopback.check(address, version === 4 ? 'ipv4' : 'ipv6')
}
