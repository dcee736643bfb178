import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { commentFindings } from './words/comments.ts'
import { nameFindings } from './words/names.ts'
import { splitText } from './words/splitText.ts'

/** A wording to change, at a line that starts at 1. */
export type Finding = { line: number; message: string }

const allFolders = ['events', 'server', 'agent', 'client', 'deploy']

/**
 * Checks comments and names in all TypeScript files, or in those under the given folders or paths. Prints each finding as `file:line`.
 * False if there are findings, or no files.
 */
export async function checkWords(folders: readonly string[] = allFolders): Promise<boolean> {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...folders], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => /[.]tsx?$/.test(path) && existsSync(path))
  const lines = files.flatMap((path) =>
    findingsIn(readFileSync(path, 'utf8')).map(({ line, message }) => `${path}:${line}: ${message}`),
  )
  for (const line of lines) console.error(line)
  return files.length > 0 && lines.length === 0
}

/** The findings in one file, by line. */
export function findingsIn(text: string): Finding[] {
  const { code, comments } = splitText(text)
  return [...commentFindings(comments), ...nameFindings(code)]
    .sort((a, b) => a.index - b.index)
    .map(({ index, message }) => ({ line: text.slice(0, index).split('\n').length, message }))
}
