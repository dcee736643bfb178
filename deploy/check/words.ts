import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { commentFindings, proseFindings } from './words/comments.ts'
import { nameFindings } from './words/names.ts'
import { secondNameFindings } from './words/secondNames.ts'
import { blank, type Literal, type Remark, splitText } from './words/splitText.ts'

/** A wording to change, at a line that starts at 1. */
export type Finding = { line: number; message: string }

/** Pages for users, where only names are checked. */
const isHelp = /^client\/help\/pages\//

/**
 * Checks comments, names, texts, titles of tests and documents in all files, or in those under the given folders or paths. Prints each
 * finding as `file:line`. False if there are findings, or no files.
 */
export async function checkWords(folders: readonly string[] = ['.']): Promise<boolean> {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...folders], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => /[.](tsx?|md)$/.test(path) && existsSync(path))
  const lines = files.flatMap((path) =>
    findingsIn(readFileSync(path, 'utf8'), path).map(({ line, message }) => `${path}:${line}: ${message}`),
  )
  for (const line of lines) console.error(line)
  return files.length > 0 && lines.length === 0
}

/** The findings in one file, by line. Texts are only checked in the product, because tests write odd ones. */
export function findingsIn(text: string, path = 'file.ts'): Finding[] {
  const isTest = /[.]test[.]|\/(testing|simulator|oracle)\b/.test(path)
  const remarks = [
    ...(isHelp.test(path) || (path.startsWith('client/') && !isTest && !path.endsWith('.md'))
      ? secondNameFindings(withoutComments(text, path), 0, path)
      : []),
    ...(isHelp.test(path) ? [] : path.endsWith('.md') ? documentFindings(text) : codeFindings(text, isTest)),
  ]
  return remarks
    .sort((a, b) => a.index - b.index)
    .map(({ index, message }) => ({ line: text.slice(0, index).split('\n').length, message }))
}

function codeFindings(text: string, isTest: boolean): Remark[] {
  const { code, comments, literals } = splitText(text)
  const prose = literals.flatMap((literal) => {
    if (literal.isTitle) return proseFindings(literal, 'title')
    return !isTest && isProse(literal) ? proseFindings(literal, 'text') : []
  })
  return [...commentFindings(comments), ...nameFindings(code), ...prose]
}

/** True for a sentence or a part of one, and false for statements of the stores and lists of words. */
const isProse = ({ text }: Literal): boolean =>
  /[a-z]+ [a-z]+ [a-z]+/.test(text) && !/\b(?:SELECT|FROM|WHERE|INSERT|ALTER|CREATE|UPDATE|DELETE|JOIN)\b/.test(text)

/** Blocks of code are not prose. */
const documentFindings = (text: string): Remark[] =>
  proseFindings({ index: 0, text: text.replace(/^```[\s\S]*?^```/gm, blank) }, 'document')

/** The text with blanks in place of its comments, so that positions stay. */
function withoutComments(text: string, path: string): string {
  if (path.endsWith('.md')) return text
  return splitText(text).comments.reduce(
    (rest, { index, text }) => rest.slice(0, index) + blank(text) + rest.slice(index + text.length),
    text,
  )
}
