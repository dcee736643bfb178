import { Readable, type Writable } from 'node:stream'
import type { Answer, Call, Endpoint } from '#events/contract/endpoint.ts'
import { type ApiRequest, type Connection, findConnection, retryUntilAvailable, send } from './connection.ts'
import { Failure, UsageError } from './failures.ts'
import type { CallCommand, Option, Values } from './options.ts'
import { type Column, type Form, jsonText, printable, shownText, write, writeRows } from './output.ts'

/** The process that runs the command line. */
export type Terminal = {
  stdin: NodeJS.ReadStream
  stdout: Writable & { isTTY?: boolean; columns?: number }
  stderr: Writable & { isTTY?: boolean }
  env: Record<string, string | undefined>
}

type Input = { params?: object; query?: object; body?: unknown }

/** A running command: its words and options, the calls that it makes, and its output. */
export class Context {
  declare readonly words: readonly string[]
  declare readonly values: Values
  declare readonly terminal: Terminal
  declare readonly calls: readonly CallCommand[]
  declare readonly out: Writable
  #connection: Connection | undefined

  constructor(parts: Pick<Context, 'words' | 'values' | 'terminal' | 'calls' | 'out'>) {
    Object.assign(this, parts)
  }

  /** The value of a text option. */
  text(name: string): string | undefined {
    return this.values[name] as string | undefined
  }

  /** A whole number from 0. Throws a `UsageError` for others. */
  number(name: string): number | undefined {
    const text = this.text(name)
    if (text !== undefined && !/^\d{1,9}$/.test(text))
      throw new UsageError(`--${name} must be a whole number, not ${text}.`)
    return text === undefined ? undefined : Number(text)
  }

  flag(name: string): boolean {
    return this.values[name] === true
  }

  /** True if a person reads the output. */
  get isShown(): boolean {
    return this.terminal.stdout.isTTY === true && this.out === this.terminal.stdout
  }

  get form(): Form {
    const chosen = (['json', 'csv', 'table', 'null'] as const).filter((form) => this.flag(form))
    if (chosen.length > 1) throw new UsageError(`Choose one of --${chosen.join(' and --')}.`)
    return chosen[0] ?? (this.isShown ? 'table' : 'json')
  }

  /** Writes a line for the user, next to the output. */
  note(text: string): void {
    this.terminal.stderr.write(`${printable(text)}\n`)
  }

  /** Repeats a read of a command that runs for long while the server can't be reached. */
  retry<T>(read: () => Promise<T>): Promise<T> {
    // A line with progress stays above.
    const newLine = this.terminal.stderr.isTTY ? '\n' : ''
    return retryUntilAvailable(read, (text) => this.note(newLine + text))
  }

  request(request: ApiRequest): Promise<Response> {
    this.#connection ??= findConnection(this.values, this.terminal.env)
    return send(this.#connection, request)
  }

  /** Makes a declared call, named by its method and path. */
  async call<E extends Endpoint>(name: `${E['method']} ${E['path']}`, input: Call<E>): Promise<Answer<E>> {
    const response = await this.request(requestOf(name, input as Input))
    return (response.status === 204 ? undefined : await response.json()) as Answer<E>
  }

  /** Elements of a list of the API, page after page. */
  async *list<E extends Endpoint>(
    name: `${E['method']} ${E['path']}`,
    input: Call<E>,
    limit = Infinity,
  ): AsyncGenerator<ElementOf<Answer<E>>> {
    let query: Record<string, unknown> = { ...(input as Input).query, size: Math.min(limit, maxPageSize) }
    for (let rest = limit; rest > 0;) {
      const response = await this.request(requestOf(name, { ...(input as Input), query }))
      const page = (await response.json()) as Page<ElementOf<Answer<E>>>
      yield* page.elements.slice(0, rest)
      rest -= page.elements.length
      const next = nextPage(page)
      if (!next) return
      query = { ...query, ...next }
    }
  }

  /** Writes rows in the chosen form. */
  async write<Row extends object>(
    rows: AsyncIterable<Row> | Iterable<Row>,
    columns: readonly Column<Row>[],
  ): Promise<number> {
    const count = await writeRows(this.out, rows, this.form, columns, this.isShown)
    if (count === 0 && this.isShown) this.note('Nothing found.')
    return count
  }

  /** Writes a file that the API returned. */
  async writeFile({ body }: Response): Promise<void> {
    if (body === null) return
    const chunks = Readable.fromWeb(body as never)
    if (this.isShown)
      for await (const chunk of chunks.setEncoding('utf8')) await write(this.out, shownText(String(chunk)))
    else for await (const chunk of chunks) await write(this.out, chunk as Buffer)
  }

  /** Writes a value as JSON: indented for people, otherwise in one line. */
  writeJson(value: unknown): Promise<void> {
    return write(this.out, `${jsonText(value, this.isShown ? 2 : undefined)}\n`)
  }
}

/** All elements of a list. */
export async function collect<T>(elements: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const element of elements) all.push(element)
  return all
}

const maxPageSize = 1000

type Page<T> = { elements: T[]; indexingDate?: string | null } & { [field in 'page' | 'total' | 'size']?: number } & {
  [field in 'cursor' | 'endCursor']?: string | null
}
type ElementOf<A> = A extends { elements: (infer T)[] } ? T : never

/**
 * Query of the page after one, in the same snapshot; undefined after the last. Lists with a cursor continue without a limit.
 */
export function nextPage(answer: Page<unknown>) {
  const { elements, page = 1, total = 0, size = 0, cursor, endCursor, indexingDate } = answer
  const snapshot = indexingDate ? { indexingDate } : {}
  if (cursor || endCursor) return { ...snapshot, ...(cursor ? { cursor } : { endCursor }) }
  const hasCursor = cursor !== undefined || endCursor !== undefined
  return hasCursor || elements.length === 0 || page * size >= total ? undefined : { ...snapshot, page: page + 1 }
}

/** Request of a call. Throws a `Failure` for a missing parameter of the path. */
export function requestOf(name: string, { params = {}, query = {}, body }: Input): ApiRequest {
  const [method = '', pattern = ''] = name.split(' ')
  const path = pattern.replace(/:(\w+)/g, (_, field: string) => {
    const value = (params as Record<string, unknown>)[field]
    if (value === undefined || value === '') throw new Failure(`${name} needs --${field}.`, 2)
    return encodeURIComponent(String(value))
  })
  const pairs = Object.entries(query).flatMap(([field, value]) =>
    [value].flat().flatMap((one): [string, string][] => (one === undefined ? [] : [[field, String(one)]])),
  )
  const search = String(new URLSearchParams(pairs))
  return { method, path: `${path}${search && `?${search}`}`, ...(body !== undefined && { body }) }
}

/** A command for people, made of one or a few calls. */
export type ShortForm = {
  name: string
  /** Words after the name, as in its help: `PATH...`, or `[PATH]` if it may be left out. */
  words: string
  summary: string
  examples: readonly string[]
  options: readonly Option[]
  /** Call whose query parameters are options, too, except for some. */
  inherits?: { call: string; except: readonly string[] }
  run: (context: Context) => Promise<void>
}

/** The inherited options of a command that are set, as a query. */
export const inheritedQuery = ({ values, calls }: Context, { inherits }: Pick<ShortForm, 'inherits'>): Values =>
  Object.fromEntries(
    inheritedOptions(calls, inherits).flatMap(({ name }) => (name in values ? [[name, values[name]]] : [])),
  )

export function inheritedOptions(calls: readonly CallCommand[], inherits: ShortForm['inherits']): Option[] {
  const from = calls.find(({ call }) => call === inherits?.call)
  return (from?.options ?? []).filter(({ place, name }) => place === 'query' && !inherits?.except.includes(name))
}
