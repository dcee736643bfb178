import { createHash, randomBytes } from 'node:crypto'

/** Challenge of HTTP Digest (RFC 7616). */
export type Challenge = {
  realm: string
  nonce: string
  opaque: string
  algorithm: string
  isAuth: boolean
  isStale: boolean
}

/** Challenge in the header `www-authenticate`; undefined without one, or with a hash that is not supported. */
export function challengeIn(header = ''): Challenge | undefined {
  const [, text] = /(?:^|,)\s*Digest\s+(.*)/is.exec(header) ?? []
  if (text === undefined) return undefined
  const pairs = text.matchAll(/(\w+)\s*=\s*(?:"([^"]*)"|([^\s,]+))/g)
  const fields = new Map([...pairs].map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? '']))
  const algorithm = fields.get('algorithm') ?? 'MD5'
  if (!/^(MD5|SHA-256)$/i.test(algorithm)) return undefined
  return {
    realm: fields.get('realm') ?? '',
    nonce: fields.get('nonce') ?? '',
    opaque: fields.get('opaque') ?? '',
    algorithm,
    isAuth: (fields.get('qop') ?? '').split(/[\s,]+/).includes('auth'),
    isStale: /^true$/i.test(fields.get('stale') ?? ''),
  }
}

type Request = { method: string; uri: string; username: string; password: string }

/** Header `authorization` for a request. `count` is the number of requests with this challenge, from 1. */
export function digestHeader(
  challenge: Challenge,
  { method, uri, username, password }: Request,
  count: number,
): string {
  const { realm, nonce, opaque, algorithm, isAuth } = challenge
  const hash = (...parts: string[]) =>
    createHash(algorithm.toLowerCase().replace('-', '')).update(parts.join(':')).digest('hex')
  const secret = hash(username, realm, password)
  const [cnonce, nc] = [randomBytes(8).toString('hex'), count.toString(16).padStart(8, '0')]
  const response = isAuth
    ? hash(secret, nonce, nc, cnonce, 'auth', hash(method, uri))
    : hash(secret, nonce, hash(method, uri))
  const quoted = { username, realm, nonce, uri, response, ...(opaque && { opaque }), ...(isAuth && { cnonce }) }
  const fields = Object.entries(quoted).map(([name, value]) => `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"`)
  return `Digest ${[...fields, `algorithm=${algorithm}`, ...(isAuth ? [`qop=auth`, `nc=${nc}`] : [])].join(', ')}`
}
