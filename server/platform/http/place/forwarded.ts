import type { IncomingHttpHeaders } from 'node:http'

/** Facts about a request that a proxy received and forwarded. */
export type Forwarded = { scheme?: 'http' | 'https'; host?: string; prefix?: string }

const hostForm = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i
const prefixForm = /^(\/[\w.~-]+)+$/

/**
 * Reads X-Forwarded-Proto, -Host, -Port and -Prefix, else Forwarded (RFC 7239), from a trusted proxy. Of several proxies
 * the first one counts, which browsers see. Malformed values are ignored.
 */
export function readForwarded(headers: IncomingHttpHeaders): Forwarded {
  const standard = readStandard(firstOf(headers['forwarded']))
  const scheme = readScheme(firstOf(headers['x-forwarded-proto'])) ?? readScheme(standard['proto'])
  const named = readHost(firstOf(headers['x-forwarded-host'])) ?? readHost(standard['host'])
  const host = withPort(named ?? readHost(headers.host), firstOf(headers['x-forwarded-port']))
  const prefix = firstOf(headers['x-forwarded-prefix'])?.replace(/\/+$/, '')
  return {
    ...(scheme && { scheme }),
    ...(host && { host }),
    ...(prefix !== undefined && prefixForm.test(prefix) && { prefix }),
  }
}

const firstOf = (value: string | string[] | undefined): string | undefined =>
  [value].flat()[0]?.split(',')[0]?.trim() || undefined

function readStandard(element = ''): Partial<Record<string, string>> {
  const pairs = [...element.matchAll(/([\w-]+)=(?:"([^"]*)"|([^;,\s]*))/g)]
  return Object.fromEntries(pairs.map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? '']))
}

function readScheme(word: string | undefined): 'http' | 'https' | undefined {
  const scheme = word?.toLowerCase().replace(/^ws/, 'http')
  return scheme === 'http' || scheme === 'https' ? scheme : undefined
}

const readHost = (text: string | undefined): string | undefined => (text && hostForm.test(text) ? text : undefined)

/** Some proxies forward the port separately, and the host without it. */
function withPort(host: string | undefined, port: string | undefined): string | undefined {
  if (host === undefined || port === undefined || !/^\d{1,5}$/.test(port)) return host
  return /:\d+$/.test(host) ? host : `${host}:${port}`
}
