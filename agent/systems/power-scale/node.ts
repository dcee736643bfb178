import type { LookupAddress, LookupOptions, lookup } from 'node:dns'
import { isIPv6 } from 'node:net'
import { ScanFailed } from '../system.ts'

const defaultPort = 8_080

/** Host and port of an address such as 'cluster.example', 'cluster.example:8080' or '[::1]:8080'. Throws `ScanFailed`. */
export function addressOf(address: string): { hostname: string; port: number } {
  const text = isIPv6(address) ? `[${address}]` : address
  const url = URL.parse(`https://${text}`)
  const port = Number(/:(\d+)$/.exec(text.replace(/^\[.*?\]/, ''))?.[1] ?? defaultPort)
  if (!url || url.pathname !== '/' || url.username !== '' || url.search !== '' || url.hash !== '' || port > 65_535)
    throw new ScanFailed(`'${address}' is not a host. Enter a host, or a host and a port.`)
  return { hostname: url.hostname, port }
}

type FoundAddress = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/**
 * Resolves a name once and keeps the address: a SmartConnect name resolves to another node each time, and a session belongs to one node.
 */
export function newPinnedNode(resolveName: typeof lookup) {
  let pinned: LookupAddress | undefined
  const give = ({ address, family }: LookupAddress, all: boolean | undefined, found: FoundAddress) =>
    all ? found(null, [{ address, family }]) : found(null, address, family)
  const resolve = (host: string, { all, ...options }: LookupOptions, found: FoundAddress): void => {
    if (pinned) return give(pinned, all, found)
    resolveName(host, { ...options, all: true }, (error, addresses) => {
      pinned ??= addresses?.[0]
      if (error || !pinned)
        found(error ?? Object.assign(new Error(`No address of ${host}`), { code: 'ENOTFOUND' }), '', 0)
      else give(pinned, all, found)
    })
  }
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the forms of `lookup`
    resolve: resolve as typeof lookup,
    /** The node is gone: the name is resolved again. */
    forget: () => void (pinned = undefined),
  }
}
