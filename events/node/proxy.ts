import { BlockList, isIP } from 'node:net'
import { isLoopback } from './loopback.ts'

/** A proxy for outgoing requests, and the variable that names it. `url` may contain a password. */
export type Proxy = { url: URL; variable: string }

/** Proxies for http and https addresses, and hosts that are reached without them. */
export type ProxySettings = { http?: Proxy | undefined; https?: Proxy | undefined; direct: readonly DirectRule[] }

/** Host, port and protocol of a request, as in a URL. */
export type Destination = { protocol: string; hostname: string; port?: string | number | undefined }
type DirectRule = (host: string, port: string) => boolean

/**
 * Reads HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; in lower case they win. Throws a sentence that names a variable
 * with an address that can't be used.
 */
export function readProxies(env: NodeJS.ProcessEnv): ProxySettings {
  const all = readProxy(env, 'ALL_PROXY')
  return {
    http: readProxy(env, 'HTTP_PROXY') ?? all,
    https: readProxy(env, 'HTTPS_PROXY') ?? all,
    direct: (valueOf(env, 'NO_PROXY')?.value ?? '').split(/[\s,;]+/).flatMap((word) => ruleOf(word) ?? []),
  }
}

/** The proxy for a request; undefined if it is sent directly, as all requests to this machine are. */
export function proxyFor(settings: ProxySettings, { protocol, hostname, port }: Destination): Proxy | undefined {
  const isSafe = protocol === 'https:'
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (isLoopback(host) || host.endsWith('.localhost')) return undefined
  const wanted = String(port || (isSafe ? 443 : 80))
  if (settings.direct.some((matches) => matches(host, wanted))) return undefined
  return isSafe ? settings.https : settings.http
}

/** Host and port of a proxy, without its password. */
export const hostOfProxy = ({ url }: Proxy): string => url.host

function readProxy(env: NodeJS.ProcessEnv, name: string): Proxy | undefined {
  const { value, variable } = valueOf(env, name) ?? {}
  if (value === undefined || variable === undefined) return undefined
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`
  const url = URL.parse(text)
  if (url?.hostname && /^https?:$/.test(url.protocol)) return { url, variable }
  // Other programs on a machine may use one that this product can't.
  if (name === 'ALL_PROXY') return undefined
  throw new Error(`${variable}: must be the address of an HTTP proxy, such as http://proxy.example.com:3128`)
}

function valueOf(env: NodeJS.ProcessEnv, name: string): { value: string; variable: string } | undefined {
  for (const variable of [name.toLowerCase(), name]) {
    const value = env[variable]?.trim()
    if (value) return { value, variable }
  }
  return undefined
}

/** A rule of NO_PROXY: `*`, a host and everything below it, an address, or a network; all but networks with a port. */
function ruleOf(word: string): DirectRule | undefined {
  const text = word.toLowerCase().replace(/^https?:\/\//, '')
  if (text === '') return undefined
  if (text === '*') return () => true
  const network = networkOf(text)
  if (network) return (host) => network(host)
  const [, bracketed, plain = '', port] =
    /^(?:\[([^\]]+)\]|([^:]*|[\da-f:.]*:[\da-f:.]*:[\da-f:.]*))(?::(\d+))?$/.exec(text) ?? []
  const wanted = (bracketed ?? plain).replace(/^\*?\./, '').replace(/\.$/, '')
  if (wanted === '') return undefined
  const isAt = (at: string) => port === undefined || port === at
  if (isIP(wanted)) return (host, at) => isAt(at) && sameAddress(host, wanted)
  return (host, at) => isAt(at) && (host === wanted || host.endsWith(`.${wanted}`))
}

function networkOf(text: string): ((host: string) => boolean) | undefined {
  const [, address = '', bits = ''] = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/.exec(text) ?? []
  const family = familyOf(address)
  if (!family || Number(bits) > (family === 'ipv4' ? 32 : 128)) return undefined
  const list = new BlockList()
  list.addSubnet(address, Number(bits), family)
  return (host) => isIn(list, host)
}

function sameAddress(host: string, wanted: string): boolean {
  const list = new BlockList()
  list.addAddress(wanted, familyOf(wanted) ?? 'ipv4')
  return isIn(list, host)
}

function isIn(list: BlockList, host: string): boolean {
  const family = familyOf(host)
  return family !== undefined && list.check(host, family)
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}
