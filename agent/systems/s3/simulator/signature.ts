import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Refused, refused } from './answers.ts'

/** Somebody who may sign requests, and what they may ask for. */
export type Account = {
  accessKey: string
  secretKey: string
  /** Of temporary keys, which are refused without it. */
  sessionToken?: string
  isExpired?: boolean
  mayListBuckets?: boolean
  mayListObjects?: boolean
  mayListVersions?: boolean
  mayReadObjects?: boolean
}

/** Account that signed a request, and the region. */
export type Signed = { account: Account; region: string }

const maxSkewMs = 15 * 60_000

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/(s3|sqs)\/aws4_request, *SignedHeaders=([^,]+), *Signature=([0-9a-f]{64})$/

/** Checks the signature of a request (version 4), as the documentation of S3 has it; says why it is not accepted. */
export function signerOf(request: IncomingMessage, accounts: readonly Account[], now: number): Signed | Refused {
  const header = request.headers.authorization
  if (header === undefined) return refused(403, 'AccessDenied', 'Access Denied')
  const [, accessKey, day = '', region = '', service = '', names = '', signature = ''] =
    authorization.exec(header) ?? []
  if (accessKey === undefined)
    return refused(400, 'AuthorizationHeaderMalformed', 'The authorization header is malformed')
  const account = accounts.find((each) => each.accessKey === accessKey)
  if (account === undefined)
    return refused(403, 'InvalidAccessKeyId', `The key '${accessKey}' you provided does not exist in our records.`)
  const refusedToken = tokenFault(account, request.headers['x-amz-security-token'])
  if (refusedToken) return refusedToken
  const time = String(request.headers['x-amz-date'])
  if (!time.startsWith(day) || !(Math.abs(momentOf(time) - now) <= maxSkewMs))
    return refused(403, 'RequestTimeTooSkewed', 'The request time and the current time differ too much.')
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/${service}/aws4_request\n${sha256(canonical(request, names.split(';')))}`
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${account.secretKey}`)
  const isComplete = ['host', 'x-amz-date'].every((name) => names.split(';').includes(name))
  if (isComplete && hmac(key, text).toString('hex') === signature) return { account, region }
  const facts = { AWSAccessKeyId: accessKey, StringToSign: text }
  return refused(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match', facts)
}

/** The refusal of temporary keys without their token, or after their time. */
function tokenFault({ sessionToken, isExpired }: Account, token: string | string[] | undefined): Refused | undefined {
  if (isExpired) return refused(400, 'ExpiredToken', 'The provided token has expired.')
  if (token === sessionToken) return undefined
  return token === undefined
    ? refused(403, 'InvalidAccessKeyId', 'The key you provided does not exist in our records.')
    : refused(400, 'InvalidToken', 'The provided token is malformed or otherwise invalid.')
}

/** The moment of a text such as 20261125T073100Z. */
const momentOf = (time: string): number =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'))

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

function canonical(request: IncomingMessage, names: string[]): string {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const pairs = [...new URLSearchParams(query.replaceAll('+', '%2B'))]
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([a, x], [b, y]) => order(a, b) || order(x, y))
    .map((pair) => pair.join('='))
  const headers = names.map(
    (name) =>
      `${name}:${String(request.headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  )
  const payload = request.headers['x-amz-content-sha256'] ?? ''
  return [request.method, path, pairs.join('&'), headers.join(''), names.join(';'), payload].join('\n')
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
