import { z } from 'zod'
import { Day } from './days.ts'
import type { Bundle, Needs, NeedsWithoutLimits } from './needs.ts'
import { writtenInt } from './numbers.ts'
import { PageQuery, pageOf } from './page.ts'

/**
 * Limit of the answer of a call for users who see only some projects, storages and folders: the `entries` that they see, their
 * `projects` or `storages`, or their `own` things. `nothing` needs a reason. They may not make calls that are `refused`.
 */
export type LimitedBy = 'entries' | 'projects' | 'storages' | 'own' | 'refused' | { nothing: string }

/** True if users with limits may not make a call. Calls that don't declare their limits are refused. */
export const isRefusedWithLimits = ({ needs, limitedBy = 'refused' }: Pick<Endpoint, 'needs' | 'limitedBy'>): boolean =>
  limitedBy === 'refused' && needs !== 'nothing'

/** Code of the answer 403 to a call that users with limits may not make. */
export const limitedCode = 'limited'

/** One HTTP call, declared once: the server binds a handler to it, the browser calls it, `/api/docs` describes it. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below `/api`, with parameters as `:name`. */
  path: string
  needs: Needs
  /** Undefined for calls of administrators and of everyone. */
  limitedBy?: LimitedBy
  /** Bundle that must be licensed for the call. */
  bundle?: Bundle
  /** Error message if the server sends no message of its own. `{name}` is replaced by that path parameter. */
  failure: string
  /** API tokens may not make the call, regardless of their roles. */
  browserOnly?: true
  /** Changes nothing, although it isn't a GET: its input is too large for a URL. */
  isReading?: true
  /** The query `optional=true` gets null, not 401, if no one is signed in. */
  isOptional?: true
  /**
   * The call grants rights or access: API tokens may not make it, and browsers only within `confirmedMinutes` after
   * their user proved who they are. A function limits this to some bodies.
   */
  confirm?: true | ((body: never) => boolean)
  /** The body is a file of any kind and size, which the handler reads as it arrives. */
  isUpload?: true
  /** The body may have thousands of paths. */
  hasLargeBody?: true
  /**
   * Error message if only folders are concerned, according to `isDirectory` of the query, the body, or all its
   * `entries`.
   */
  failureOfFolders?: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Alternative schema of the body: the full record as it was read. Only the fields of `body` are used. */
  record?: z.ZodType
  answer?: z.ZodType
  /** Media type of the file that is returned instead of JSON. The file has a name of its own. */
  download?: string
}

/** Error message of a call that failed without a message; replaces `{name}` by that path parameter. */
export function failureOf(
  { failure, failureOfFolders = failure }: Pick<Endpoint, 'failure' | 'failureOfFolders'>,
  { params = {}, query, body }: RequestInput = {},
): string {
  const { entries, ...ofOne } = (body ?? {}) as { entries?: unknown; isDirectory?: unknown }
  const named: unknown[] = Array.isArray(entries) && entries.length > 0 ? entries : [ofOne]
  const isOfFolders = isFolder(query) || named.every(isFolder)
  return (isOfFolders ? failureOfFolders : failure).replace(/\{(\w+)\}/g, (_, name: string) =>
    String(params[name] ?? ''),
  )
}
type RequestInput = { params?: Record<string, unknown> | undefined; query?: unknown; body?: unknown }

function isFolder(input: unknown): boolean {
  const { isDirectory } = (input ?? {}) as { isDirectory?: unknown }
  return isDirectory === true || isDirectory === 'true'
}

/** True if a call with this body grants rights or access. */
export const needsConfirmation = ({ confirm }: Pick<Endpoint, 'confirm'>, body: unknown): boolean =>
  typeof confirm === 'function' ? confirm(body as never) : confirm === true

/** Calls that users with limits may make declare what limits them. */
type Limited<N extends Needs> = N extends NeedsWithoutLimits ? unknown : { limitedBy: LimitedBy }

const declared = <const E extends Endpoint>(declaration: E): E => declaration

/** Keeps the exact schema types of a declaration. */
export const endpoint = <const E extends Endpoint>(declaration: E & Limited<E['needs']>): E => declaration

type Out<S> = S extends z.ZodType ? z.output<S> : undefined
type Part<K extends string, S> = S extends z.ZodType
  ? Record<never, never> extends z.input<S>
    ? { [k in K]?: z.input<S> }
    : { [k in K]: z.input<S> }
  : Record<never, never>

/** Input of a handler, parsed and complete. */
export type Input<E extends Endpoint> = { params: Out<E['params']>; query: Out<E['query']>; body: Out<E['body']> }

/** Input from a caller: only the parts that the endpoint declares. */
export type Call<E extends Endpoint> = Part<'params', E['params']> & Part<'query', E['query']> & Part<'body', E['body']>

/** Response of the call; void when no schema is declared. */
export type Answer<E extends Endpoint> = E['answer'] extends z.ZodType ? z.output<E['answer']> : void

/** Positive 32-bit ID, as in the database. */
export const IdNumber = writtenInt(1, 2 ** 31 - 1)
export const Id = z.object({ id: IdNumber })

/** Calls that read a snapshot accept a day. The newest snapshot on or before that day is used. */
export const AtDate = z.object({ indexingDate: Day.optional() })

/** A boolean query parameter, false by default. */
export const Flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((word) => word === 'true')

/** Given in place of a day: the newest known state of each storage. */
export const now = 'now'

/**
 * Calls that read entries, folders, totals and maps accept `live=true` instead of a day: they answer with the newest known state of each storage, which is
 * that of its last scan if it isn't live, and with `asOf`. Their `indexingDate` is `now` then.
 */
export const AtTime = AtDate.extend({ live: Flag })
  .refine(({ indexingDate, live }) => !live || indexingDate === undefined, {
    path: ['live'],
    message: 'must not be given with indexingDate',
  })
  .transform(({ indexingDate, live }): { indexingDate?: string | undefined } => ({
    indexingDate: live ? now : indexingDate,
  }))

/** Part of an answer to `live=true`. Answers that are lists have it in their rows, or lack it. */
export const AsOf = z.object({
  /** With `live=true`: milliseconds UTC of the oldest of the states that the answer shows. */
  asOf: z.number().optional(),
})

/**
 * `query` is for lists with more parameters than the page; `failures` for messages that can't be derived from `one`.
 */
type Table<T, D, Q, N> = {
  entity: T
  draft: D
  /** Fields that are written and never read: empty or missing in a change, they keep their value. */
  secrets?: readonly string[]
  /** The record as callers may send it, if it has more fields than the entity. */
  record?: z.ZodType
  query?: Q
  one: string
  many: string
  needs: N
  limitedBy?: LimitedBy
  bundle?: Bundle
  failures?: Partial<Record<'list' | 'create' | 'update' | 'remove', string>>
}

/** Replaces secrets that are empty or missing by null, which keeps them. */
const keeping = (secrets: readonly string[]) => (draft: unknown) => {
  if (typeof draft !== 'object' || draft === null) return draft
  const given = draft as Record<string, unknown>
  const kept = secrets.filter((name) => given[name] === undefined || given[name] === '')
  return { ...given, ...Object.fromEntries(kept.map((name) => [name, null])) }
}

/** The four calls of every settings table. */
export const crud = <
  T extends z.ZodType,
  D extends z.ZodType,
  Q extends z.ZodType = typeof PageQuery,
  N extends Needs = Needs,
>(
  path: string,
  { needs, limitedBy, bundle, ...table }: Table<T, D, Q, N> & Limited<N>,
) => {
  const common = { needs, ...(limitedBy && { limitedBy }), ...(bundle && { bundle }) }
  return {
    list: declared({
      method: 'GET',
      path,
      ...common,
      failure: table.failures?.list ?? `Unable to fetch ${table.many}`,
      query: (table.query ?? PageQuery) as Q,
      answer: pageOf(table.entity),
    }),
    create: declared({
      method: 'POST',
      path,
      ...common,
      failure: table.failures?.create ?? `Unable to create ${table.one}`,
      body: table.draft,
      record: table.record ?? table.entity,
      answer: Id,
    }),
    update: declared({
      method: 'PUT',
      path: `${path}/:id`,
      ...common,
      failure: table.failures?.update ?? `Unable to update ${table.one}`,
      params: Id,
      body: (table.secrets ? z.preprocess(keeping(table.secrets), table.draft) : table.draft) as D,
      record: table.record ?? table.entity,
    }),
    remove: declared({
      method: 'DELETE',
      path: `${path}/:id`,
      ...common,
      failure: table.failures?.remove ?? `Unable to delete ${table.one}`,
      params: Id,
    }),
  }
}
