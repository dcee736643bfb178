import { globSync, readFileSync } from 'node:fs'

/** A handler longer than this does the work of a query or of a deciding function. */
const longest = 10

/** Whether every `route(…)` of the server stays short. Fails when it finds no route at all. */
export async function checkHandlers(): Promise<boolean> {
  const handlers = globSync('server/**/routes.ts').flatMap((file) => handlersOf(file, readFileSync(file, 'utf8')))
  const tooLong = handlers.filter(({ lines }) => lines > longest)
  for (const { file, line, lines } of tooLong) console.error(`${file}:${line}: a handler of ${lines} lines`)
  return handlers.length > 0 && tooLong.length === 0
}

/** The calls of `route` in a text, from their opening to their closing bracket. */
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
