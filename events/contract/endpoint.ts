import { z } from 'zod'
import { Day } from './days.ts'
import type { Bundle, Needs } from './needs.ts'
import { writtenInt } from './numbers.ts'
import { PageQuery, pageOf } from './page.ts'

/** One HTTP call, declared once: the server binds a handler to it, the browser calls it, `/api/docs` describes it. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api`; parameters as `:name`. */
  path: string
  needs: Needs
  /** The bundle without whose licence the call is refused. */
  bundle?: Bundle
  /** What users read when the server gives no message of its own. */
  failure: string
  /** An API token may not make it, whatever its roles. */
  browserOnly?: true
  /** Likewise, where folders alone are asked about: by `isDirectory` of the query, of the body, or of all its `entries`. */
  failureOfFolders?: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** What the body may be besides: the whole record as it was read, of which the fields of `body` count alone. */
  record?: z.ZodType
  answer?: z.ZodType
  /** The media type of the file that is answered instead of JSON, with a name of its own. */
  download?: string
}

/** What users read of a call that failed without more words; `{name}` in it stands for that parameter of the path. */
export function failureOf(
  { failure, failureOfFolders = failure }: Pick<Endpoint, 'failure' | 'failureOfFolders'>,
  { params = {}, query, body }: Asked = {},
): string {
  const { entries, ...ofOne } = (body ?? {}) as { entries?: unknown; isDirectory?: unknown }
  const named: unknown[] = Array.isArray(entries) && entries.length > 0 ? entries : [ofOne]
  const isOfFolders = isFolder(query) || named.every(isFolder)
  return (isOfFolders ? failureOfFolders : failure).replace(/\{(\w+)\}/g, (_, name: string) =>
    String(params[name] ?? ''),
  )
}
type Asked = { params?: Record<string, unknown> | undefined; query?: unknown; body?: unknown }

function isFolder(said: unknown): boolean {
  const { isDirectory } = (said ?? {}) as { isDirectory?: unknown }
  return isDirectory === true || isDirectory === 'true'
}

/** Keeps the exact schema types of a declaration. */
export const endpoint = <const E extends Endpoint>(declaration: E): E => declaration

type Out<S> = S extends z.ZodType ? z.output<S> : undefined
type Part<K extends string, S> = S extends z.ZodType
  ? Record<never, never> extends z.input<S>
    ? { [k in K]?: z.input<S> }
    : { [k in K]: z.input<S> }
  : Record<never, never>

/** What a handler receives: parsed and complete. */
export type Input<E extends Endpoint> = { params: Out<E['params']>; query: Out<E['query']>; body: Out<E['body']> }

/** What a caller gives: only the parts that the endpoint declares. */
export type Call<E extends Endpoint> = Part<'params', E['params']> & Part<'query', E['query']> & Part<'body', E['body']>

/** What the call answers; nothing when no schema is declared. */
export type Answer<E extends Endpoint> = E['answer'] extends z.ZodType ? z.output<E['answer']> : void

/** The number that a table gave to something, as far as its column counts. */
export const IdNumber = writtenInt(1, 2 ** 31 - 1)
export const Id = z.object({ id: IdNumber })

/** Every call that reads a snapshot takes a day; the newest snapshot on or before it answers. */
export const AtDate = z.object({ indexingDate: Day.optional() })

/** A switch in a query, off unless it is said. */
export const Flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((word) => word === 'true')

/** `query` is for lists that take more than the page; `failures` for words that are not made of `one`. */
type Table<T, D, Q> = {
  entity: T
  draft: D
  query?: Q
  one: string
  many: string
  needs: Needs
  bundle?: Bundle
  failures?: Partial<Record<'list' | 'create' | 'update' | 'remove', string>>
}

/** The four calls that every settings table has. */
export const crud = <T extends z.ZodType, D extends z.ZodType, Q extends z.ZodType = typeof PageQuery>(
  path: string,
  { needs, bundle, ...table }: Table<T, D, Q>,
) => {
  const common = { needs, ...(bundle && { bundle }) }
  return {
    list: endpoint({
      method: 'GET',
      path,
      ...common,
      failure: `Unable to fetch ${table.many}`,
      query: (table.query ?? PageQuery) as Q,
      answer: pageOf(table.entity),
    }),
    create: endpoint({
      method: 'POST',
      path,
      ...common,
      failure: `Unable to create ${table.one}`,
      body: table.draft,
      answer: Id,
    }),
    update: endpoint({
      method: 'PUT',
      path: `${path}/:id`,
      ...common,
      failure: table.failures?.update ?? `Unable to update ${table.one}`,
      params: Id,
      body: table.draft,
      record: table.entity,
    }),
    remove: endpoint({
      method: 'DELETE',
      path: `${path}/:id`,
      ...common,
      failure: table.failures?.remove ?? `Unable to delete ${table.one}`,
      params: Id,
    }),
  }
}
