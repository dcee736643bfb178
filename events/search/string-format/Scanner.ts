import type { Vocabulary } from './vocabulary.ts'

/** Syntax error, with its character position, counted from 0. */
export class QueryTextError extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** Reads a text once from start to end without backtracking, so the time is linear in its length. */
export class Scanner {
  readonly text: string
  at = 0
  constructor(text: string) {
    this.text = text
    this.skipSpace()
  }

  get isAtEnd(): boolean {
    return this.at === this.text.length
  }

  /** Consumes a match of a sticky pattern here, and the space after it. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const [found] = pattern.exec(this.text) ?? []
    if (found === undefined) return undefined
    this.at += found.length
    this.skipSpace()
    return found
  }

  /** Consumes a word and returns its meaning. */
  word({ pattern, meanings }: Vocabulary): string | undefined {
    const found = this.match(pattern)
    return found === undefined ? undefined : meanings.get(found.replaceAll(/\s+/g, ' ').toLowerCase())
  }

  /** Consumes a sign such as a parenthesis. */
  sign(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false
    this.at += sign.length
    this.skipSpace()
    return true
  }

  /** Consumes a quoted text. */
  quoted(): string | undefined {
    const from = this.at
    if (this.text[from] !== '"') return undefined
    let end = this.text.indexOf('"', from + 1)
    while (end !== -1 && this.text[end + 1] === '"') end = this.text.indexOf('"', end + 2)
    if (end === -1) throw new QueryTextError('This quotation mark is not closed.', from)
    this.at = end + 1
    this.skipSpace()
    return unescaped(this.text.slice(from + 1, end))
  }

  /** Throws an error that states the expected token. */
  expected(what: string): never {
    const [found] = /^"?[^\s"()]{0,20}|^./su.exec(this.text.slice(this.at, this.at + 30)) ?? []
    const [sign] = this.text.slice(this.at)
    throw new QueryTextError(
      `Expected ${what}, but ${this.isAtEnd ? 'the text ends' : `found "${found === '' ? sign : found}"`}.`,
      this.at,
    )
  }

  private skipSpace() {
    const space = /\s*/y
    space.lastIndex = this.at
    this.at += space.exec(this.text)?.[0].length ?? 0
  }
}

/**
 * Invisible characters, which would be lost in an input field, are written as `\u{9}`. A backslash has no other
 * meaning, so expressions and paths are unchanged.
 */
const hidden = /\\(?=u\{)|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
const written = /\\u\{([\da-f]{1,6})\}/gi

/** Quotes a text in the form that `Scanner` reads. */
export const inQuotes = (text: string): string =>
  `"${text.replaceAll('"', '""').replaceAll(hidden, (one) => String.raw`\u{${one.codePointAt(0)?.toString(16)}}`)}"`

const unescaped = (text: string): string =>
  text.replaceAll('""', '"').replaceAll(written, (all, code: string) => {
    const point = Number.parseInt(code, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : all
  })
