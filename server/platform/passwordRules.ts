import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const minLength = 12

/**
 * Returns the fault of a new password as the end of a sentence; undefined for a good one. Ignoring case: not too short,
 * not the name, not a well-known one, and none of these repeated, or with digits and symbols around and between.
 */
export function passwordFault(password: string, name: string): string | undefined {
  const text = plain(password)
  const word = withoutEnds(text)
  const letters = lettersOf(text)
  const cores = [text, word, letters].map(withoutRepetition)
  const variants = [text, word, ...cores, ...cores.map(withoutEnds)]
  if (password.length < minLength) return `must have at least ${minLength} characters`
  if ([plain(name), lettersOf(plain(name))].some((own) => own !== '' && variants.includes(own)))
    return 'must not be the name of the account'
  if (variants.some((word) => knownPasswords().has(word))) return 'must not be a commonly used password'
  // A few letters among many digits repeat by chance.
  const judged = letters.length * 2 < text.length ? [text, word] : [text, word, letters]
  return judged.some(repeatsFew) || withoutRepetition(text).length < minLength
    ? 'must not repeat a few characters'
    : undefined
}

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{M}]+/gu, '')

/** Without the digits and symbols that people add to a word. */
const withoutEnds = (text: string): string => text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

/** The part that a text repeats, the last time perhaps not to its end: 'abc' of 'abcabcab'. Else the text. */
function withoutRepetition(text: string): string {
  for (let length = 1; length * 2 <= text.length; length++)
    if (text.startsWith(text.slice(length))) return text.slice(0, length)
  return text
}

function repeatsFew(text: string): boolean {
  const { length } = withoutRepetition(text)
  return length < text.length && length < minLength
}

let known: ReadonlySet<string> | undefined

/** Read at first use; the file names its source and license. */
function knownPasswords(): ReadonlySet<string> {
  if (known) return known
  const lines = readFileSync(join(import.meta.dirname, 'knownPasswords.txt'), 'utf8').split('\n')
  return (known = new Set(lines.filter((line) => line !== '' && !/^#( |$)/.test(line)).map(plain)))
}
