import { globSync, readFileSync } from 'node:fs'

/** Maximum lines of a handler. A longer one does the work of a query or of a deciding function. */
const maxLines = 10

/** True if every `route(…)` of the server is short. False if there are no routes. */
export async function checkHandlers(): Promise<boolean> {
  const handlers = globSync('server/**/routes.ts').flatMap((file) => handlersOf(file, readFileSync(file, 'utf8')))
  const tooLong = handlers.filter(({ lines }) => lines > maxLines)
  for (const { file, line, lines } of tooLong) console.error(`${file}:${line}: a handler of ${lines} lines`)
  return handlers.length > 0 && tooLong.length === 0
}

/** The calls of `route` in a text, from the opening to the closing parenthesis. */
export function handlersOf(file: string, source: string): { file: string; line: number; lines: number }[] {
  return [...source.matchAll(/\broute\(/g)].map(({ index }) => {
    const text = source.slice(index, closing(source, index + 'route'.length))
    return { file, line: source.slice(0, index).split('\n').length, lines: text.split('\n').length }
  })
}

function closing(source: string, open: number): number {
  let depth = 0
  for (let at = open; at < source.length; at++) {
    if (source[at] === '(') depth++
    if (source[at] === ')' && --depth === 0) return at
  }
  return source.length
}
