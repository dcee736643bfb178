import { readFileSync } from 'node:fs'

/** The text of a file; '' if it can't be read. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
