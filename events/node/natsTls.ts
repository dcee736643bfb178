import { getCACertificates, type ConnectionOptions } from 'node:tls'

/**
 * TLS options for a connection to NATS: `host` is the name that the certificate must match, which the client only checks for
 * IP addresses if it is set; `ca` has the trusted certificates.
 */
export type NatsTls = Required<Pick<ConnectionOptions, 'host'>> & { ca: string }

/**
 * Options that refuse a server without TLS, for `tls://` addresses and if `ca` is given: the client itself ignores the protocol
 * of an address. Undefined for others: then the server decides. Without `ca`, trusts the authorities of this machine and
 * those built into Node.
 */
export function natsTls(address: string, ca?: string): NatsTls | undefined {
  if (ca === undefined && !/^tls:/i.test(address)) return undefined
  const [, host = ''] = /^(?:\w+:\/\/)?(?:[^@/]*@)?(\[[^\]]*\]|[^:/]*)/.exec(address) ?? []
  return { host: host.replace(/^\[|\]$/g, ''), ca: ca ?? trustedCertificates() }
}

const trustedCertificates = () => [...getCACertificates('system'), ...getCACertificates('default')].join('\n')
