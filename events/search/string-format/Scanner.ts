import type { Vocabulary } from './vocabulary.ts'

/** Why a text cannot be read, and at which of its characters, counted from 0. */
export class QueryTextError extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** Goes through a text from its begin to its end, never back: it takes as long as the text is. */
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

  /** Takes what a sticky pattern finds here, with the space after it. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const [found] = pattern.exec(this.text) ?? []
    if (found === undefined) return undefined
    this.at += found.length
    this.skipSpace()
    return found
  }

  /** Takes a word, and tells what it means. */
  word({ pattern, meanings }: Vocabulary): string | undefined {
    const found = this.match(pattern)
    return found === undefined ? undefined : meanings.get(found.replaceAll(/\s+/g, ' ').toLowerCase())
  }

  /** Takes a sign such as a parenthesis. */
  sign(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false
    this.at += sign.length
    this.skipSpace()
    return true
  }

  /** Takes a text in quotes. */
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

  /** Refuses what stands here, in words of what was expected. */
  expected(what: string): never {
    const [found] = /^"?[^\s"()]{0,20}|^./su.exec(this.text.slice(this.at, this.at + 30)) ?? []
    const [sign] = this.text.slice(this.at)
    throw new QueryTextError(
      `Expected ${what}, but ${this.isAtEnd ? 'the text ends' : `found ${found === '' ? sign : found}`}.`,
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
 * What cannot be seen, and would be lost in a field, is written as `\u{9}`. A backslash means nothing else, so that expressions and
 * paths stay as they are.
 */
const hidden = /\\(?=u\{)|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
const written = /\\u\{([\da-f]{1,6})\}/gi

/** Any text in quotes, as `Scanner` reads it. */
export const inQuotes = (text: string): string =>
  `"${text.replaceAll('"', '""').replaceAll(hidden, (one) => String.raw`\u{${one.codePointAt(0)?.toString(16)}}`)}"`

const unescaped = (text: string): string =>
  text.replaceAll('""', '"').replaceAll(written, (all, code: string) => {
    const point = Number.parseInt(code, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : all
  })
