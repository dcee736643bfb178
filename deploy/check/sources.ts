import { globSync, readFileSync } from 'node:fs'

/** Calls whose results emit `error`, which ends the process if nothing listens. */
const emitters =
  /\b(\w+)(?::[^=\n]+)?\s=\s(?:await\s)?(spawn|fork|new Worker|new WebSocketServer|new Pool|createServer|createWriteStream)\(/g

const files = ['server', 'agent', 'events', 'deploy/local', 'deploy/agent-package', 'deploy/setup']

/** True if every process, thread, server, pool and file that the product opens has a listener for its errors. */
export async function checkListeners(): Promise<boolean> {
  const sources = globSync(files.map((folder) => `${folder}/**/*.ts`)).filter(
    (file) => !/\.test\.ts$|\/(testing|simulator|oracle)(\/|\.ts$)/.test(file),
  )
  const found = sources.flatMap((file) => emittersIn(readFileSync(file, 'utf8')).map((each) => ({ file, ...each })))
  const silent = found.filter(({ isHeard }) => !isHeard)
  for (const { file, line, call } of silent) console.error(`${file}:${line}: ${call}(…) has no listener for 'error'`)
  return found.length > 0 && silent.length === 0
}

type Emitter = { line: number; call: string; isHeard: boolean }

/**
 * The calls in a text. An emitter is heard if `error` of its variable has a listener, or if it is passed to `pipeline` or `finished`, or
 * a process to `once`, which throw its errors. A server still emits some after `once`, when it can't accept a connection.
 */
export function emittersIn(source: string): Emitter[] {
  return [...source.matchAll(emitters)].map(({ index, 1: name = '', 2: call = '' }) => {
    const waits = /create|Server/.test(call) ? 'pipeline|finished' : 'once|pipeline|finished'
    const heard = new RegExp(
      `\\b${name}\\b(\\.\\w+\\([^;]*?\\))*?\\s*\\.(on|once)\\(\\s*'error'|\\b(${waits})\\(\\s*(\\w+\\(\\w*\\),\\s*|\\w+,\\s*)*${name}\\b`,
    )
    const direct = /^[^;]*?\)\s*\.(on|once)\(\s*'error'/.test(source.slice(index, index + 600))
    return { line: source.slice(0, index).split('\n').length, call, isHeard: direct || heard.test(source) }
  })
}

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
