import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'
import { refused } from './errors.ts'
import type { Switches } from './switches.ts'

const prefix = '1-1-MAAA1-'
/** Characters of the signature at the end of a token. */
const signatureLength = 16

/** Resume tokens: signed, opaque to clients, and worth nothing after `tokenLife`. */
export class Tokens {
  readonly #key = randomBytes(32)
  readonly #clock: Clock
  readonly #switches: Switches

  constructor(clock: Clock, switches: Switches) {
    this.#clock = clock
    this.#switches = switches
  }

  issue(content: object): string {
    const text = Buffer.from(JSON.stringify({ content, issued: this.#clock.now() })).toString('base64url')
    return `${prefix}${text}${this.#signatureOf(text)}`
  }

  read(token: string): unknown {
    const text = token.slice(prefix.length, -signatureLength)
    if (`${prefix}${text}${this.#signatureOf(text)}` !== token) throw invalidToken()
    const { content, issued } = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (this.#clock.now() - issued >= this.#switches.tokenLife) throw invalidToken()
    return content
  }

  #signatureOf(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, signatureLength)
  }
}

export const invalidToken = () => refused('AEC_BAD_REQUEST', 'The resume token is invalid or has expired.', 'resume')

/** Returns the limit that a query names. */
export function limitOf(query: URLSearchParams, fallback: number): number {
  const text = query.get('limit')
  if (text === null) return fallback
  if (!/^-?\d+$/.test(text) || Number(text) === 0) throw refused('AEC_BAD_REQUEST', `Invalid limit '${text}'.`, 'limit')
  return Number(text)
}

type ListToken = { list: string; options: string; at: number }

/**
 * Reads a page of a list of the platform API. `resume` excludes all other options, because the token includes them. `select` returns the
 * items that the options select.
 */
export function pageOf<T>(
  tokens: Tokens,
  {
    query,
    list,
    limit: fallback,
    maxLimit = Infinity,
  }: { query: URLSearchParams; list: string; limit: number; maxLimit?: number },
  select: (options: URLSearchParams) => { length: number; slice(from: number, to: number): readonly T[] },
): { page: readonly T[]; resume: string | null; total: number } {
  const resume = query.get('resume')
  if (resume !== null && [...query.keys()].length > 1)
    throw refused('AEC_BAD_REQUEST', 'resume excludes all other arguments.', 'resume')
  const token = resume === null ? { list, options: query.toString(), at: 0 } : (tokens.read(resume) as ListToken)
  if (token.list !== list) throw invalidToken()
  const options = new URLSearchParams(token.options)
  const limit = Math.min(limitOf(options, fallback), maxLimit)
  if (limit < 0) throw refused('AEC_BAD_REQUEST', 'The limit must be positive.', 'limit')
  const items = select(options)
  const end = token.at + limit
  return {
    page: items.slice(token.at, end),
    resume: end < items.length ? tokens.issue({ ...token, at: end } satisfies ListToken) : null,
    total: items.length,
  }
}
