import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const minLength = 12

/**
 * Returns the fault of a new password as the end of a sentence; undefined for a good one. Ignoring case: not too short,
 * not the name, not a well-known one, and none of these with digits and symbols around it or repeated.
 */
export function passwordFault(password: string, name: string): string | undefined {
  const text = plain(password)
  const repeated = /^(.+?)\1+$/s.exec(text)?.[1] ?? text
  const variants = [text, repeated, withoutEnds(text), withoutEnds(repeated)]
  if (password.length < minLength) return `must have at least ${minLength} characters`
  if (variants.includes(plain(name))) return 'must not be the name of the account'
  if (variants.some((word) => knownPasswords().has(word))) return 'must not be a commonly used password'
  if (repeated.length < minLength) return 'must not repeat a few characters'
  return undefined
}

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** Without the digits and symbols that people add to a word. */
const withoutEnds = (text: string): string => text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

let known: ReadonlySet<string> | undefined

/** Read at first use; the file names its source and license. */
function knownPasswords(): ReadonlySet<string> {
  if (known) return known
  const lines = readFileSync(join(import.meta.dirname, 'knownPasswords.txt'), 'utf8').split('\n')
  return (known = new Set(lines.filter((line) => line !== '' && !/^#( |$)/.test(line)).map(plain)))
}
