import type { SourceField } from '#events/sources/sourceField.ts'
import { atField, ScanFailed, ShownError, StoreBusy } from '../system.ts'
import type { Refusal } from './refusal.ts'

/** One kind of failure: code, sentence for users, and what to do. `Q` is the request, as far as sentences name it. */
type FailureRow<E, Q> = {
  /** Further condition. */
  when?: (error: E, request: Q) => boolean
  /** States what happened, then what to do. */
  sentence: (request: Q, error: E) => string
  /** Input of the storage's form that is wrong. */
  field?: SourceField
  /** Error for the caller, instead of the one of the table. */
  failure?: (sentence: string, error: E, request: Q) => Error
}

/** A known refusal. All conditions of a row have to hold. */
type RefusalRow<R, Q> = FailureRow<R, Q> & {
  /** Codes of the vendor. */
  codes?: RegExp
  status?: RegExp
  /** The same request may succeed later. */
  isBusy?: true
  /** The sign-in worked, but has no right to the request. */
  isDenied?: true
}

/** All failures of one system. The first row that matches counts. */
export type FailureTable<R extends Refusal, Q> = {
  /** Class of the system's refusals. */
  refusal: new (...args: never[]) => R
  refusals: readonly RefusalRow<R, Q>[]
  /** Sentence for a refusal that no row matches. */
  other: (request: Q, refusal: R) => string
  /** Error of a refusal; `ScanFailed` by default. */
  failed?: (sentence: string, refusal: R, request: Q) => Error
  /** Error of a refusal that may pass; `StoreBusy` by default. */
  busy?: (sentence: string, refusal: R, request: Q) => Error
  /** Errors that are not refusals, such as an answer that is too long. */
  errors: readonly (FailureRow<unknown, Q> & { when: (error: unknown, request: Q) => boolean })[]
  /** All other errors: those of the connection. */
  connection: (error: unknown, request: Q) => Error
}

/** Status of a system that is busy or failed: 429, and 500 to 599 except 501. */
export const busyStatus = /^(429|5(?!01)\d\d)$/

/** The failure of a request, for users: `StoreBusy` if it may succeed later, else `ScanFailed`. */
export function failureFrom<R extends Refusal, Q>(table: FailureTable<R, Q>, error: unknown, request: Q): Error {
  if (error instanceof ShownError) return error
  if (error instanceof table.refusal) return refusalFailure(table, error, request)
  const row = table.errors.find(({ when }) => when(error, request))
  if (!row) return atField(table.connection(error, request), 'host')
  const sentence = row.sentence(request, error)
  return atField(row.failure?.(sentence, error, request) ?? new ScanFailed(sentence), row.field)
}

function refusalFailure<R extends Refusal, Q>(table: FailureTable<R, Q>, refusal: R, request: Q): Error {
  const row = rowFor(table, refusal, request)
  const failure = atField(errorOf(table, row, { refusal, request }), row?.field)
  if (failure instanceof ScanFailed) {
    failure.refusal = refusal.code
    failure.isDenied = row?.isDenied ?? false
  }
  return failure
}

const rowFor = <R extends Refusal, Q>(table: FailureTable<R, Q>, refusal: R, request: Q) =>
  table.refusals.find(
    ({ codes, status, when }) =>
      (codes?.test(refusal.code) ?? true) &&
      (status?.test(String(refusal.statusCode)) ?? true) &&
      (when?.(refusal, request) ?? true),
  )

type Refused<R, Q> = { refusal: R; request: Q }

function errorOf<R extends Refusal, Q>(
  table: FailureTable<R, Q>,
  row: RefusalRow<R, Q> | undefined,
  { refusal, request }: Refused<R, Q>,
): Error {
  const sentence = row ? row.sentence(request, refusal) : table.other(request, refusal)
  if (row?.failure) return row.failure(sentence, refusal, request)
  if (row?.isBusy) return table.busy?.(sentence, refusal, request) ?? new StoreBusy(sentence, refusal.retryAfterMs)
  return table.failed?.(sentence, refusal, request) ?? new ScanFailed(sentence)
}

/** True for errors of one of these classes. */
export const isOne =
  (...classes: readonly (new (...args: never[]) => Error)[]) =>
  (error: unknown): boolean =>
    classes.some((Class) => error instanceof Class)
