import { randomBytes } from 'node:crypto'
import { refused } from './answers.ts'
import type { Clock } from '#agent/simulator/clock.ts'
import type { Switches } from './switches.ts'

const invalidToken = () => refused('AEC_BAD_REQUEST', 'The resume token is invalid or has expired.', 'resume')

/** Resume tokens: opaque to clients, and worth nothing after `tokenLife`. `list` names what is listed, with its options. */
type Token = { list: string; options: string; at: number }

export type Tokens = ReturnType<typeof newTokens>

export function newTokens(clock: Clock, switches: Switches) {
  const tokens = new Map<string, Token & { issued: number }>()
  return {
    issue(token: Token): string {
      const text = `1-1-MAAA1-${randomBytes(12).toString('base64url')}`
      tokens.set(text, { ...token, issued: clock.now() })
      return text
    },
    read(text: string, list: string): Token {
      const token = tokens.get(text)
      if (token?.list !== list || clock.now() - token.issued >= switches.tokenLife) throw invalidToken()
      return token
    },
  }
}

type Items<T> = { length: number; slice(from: number, to: number): readonly T[] }

/** A page of items from `at` on, with the number that the options name, and the token of the next page. */
export function pageAt<T>(
  tokens: Tokens,
  token: Token,
  items: Items<T>,
): { page: readonly T[]; resume: string | null } {
  const limit = Number(new URLSearchParams(token.options).get('limit') ?? 1_000)
  if (!Number.isInteger(limit) || limit < 1) throw refused('AEC_BAD_REQUEST', `Invalid limit ${limit}.`, 'limit')
  const end = token.at + limit
  const resume = end < items.length ? tokens.issue({ ...token, at: end }) : null
  return { page: items.slice(token.at, end), resume }
}

/** Reads a page of a list of the platform API. `resume` excludes all other options, because the token includes them. */
export function pageOf<T>(tokens: Tokens, { query, list }: { query: URLSearchParams; list: string }, items: Items<T>) {
  const resume = query.get('resume')
  if (resume !== null && query.size > 1)
    throw refused('AEC_BAD_REQUEST', 'resume excludes all other arguments.', 'resume')
  const first = { list, options: query.toString(), at: 0 }
  return pageAt(tokens, resume === null ? first : tokens.read(resume, list), items)
}

/** Place at which a directory listing continues. Options may be repeated next to the token. */
export function placeOf(
  tokens: Tokens,
  { query, list }: { query: URLSearchParams; list: string },
  accepted: Switches['resume'],
): Token {
  const options = new URLSearchParams(query)
  for (const name of ['resume', 'query']) options.delete(name)
  options.sort()
  const text = options.toString()
  const resume = query.get('resume')
  if (resume === null) return { list, options: text, at: 0 }
  if (accepted === 'alone' && text !== '') throw refused('AEC_BAD_REQUEST', 'resume excludes other options.', 'resume')
  const token = tokens.read(resume, list)
  if (token.options === text || (accepted !== 'withOptions' && text === '')) return token
  throw invalidToken()
}
