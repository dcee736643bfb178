/*
 * Details of jobs and submissions of P5's REST API that no public source confirms. Everything here accepts each reading, and is the only
 * place that depends on one.
 */
import { headerValue, propertyOf, textOf } from '../../systems/archiware/unconfirmed.ts'

/** Texts of a failed call that may succeed later without anyone's help. */
export const isTemporary = (text: string): boolean =>
  /\b(busy|locked|restart|starting|try again|timed? ?out|temporar|(not|n't) respond|no response|unreachable|offline)/i.test(
    text,
  )

/** A header value of UTF-8 bytes, as Node takes them. */
const headerBytes = (value: string): string => Buffer.from(value, 'utf8').toString('latin1')

/** Ways to write values into headers, in the order to try: unchanged, and percent-encoded. One, if both are the same. */
export function headerEncodings(...values: string[]): ((value: string) => string)[] {
  const percent = (value: string) => (isPlain(value) ? headerValue(value) : encodeURIComponent(value))
  if (values.every(isPlain)) return [headerBytes]
  return values.every(isHeaderText) ? [headerBytes, percent] : [percent]
}

const isPlain = (value: string): boolean => /^[\x20-\x7e]*$/.test(value) && !value.includes('%') && isHeaderText(value)

/** False for values that headers can't have: control characters, and blanks at an end, which get lost. */
const isHeaderText = (value: string): boolean => !/\p{Cc}/u.test(value) && value.trim() === value

/** A path in the body of a submission. One single backslash would make all of it fail. */
export const submittedPath = (path: string): string => path.replaceAll('\\', '\\\\')

/** Target paths of restores: backslashes unchanged, or doubled. One, if both are the same. */
export const targetPathForms = (paths: string[]): ((path: string) => string)[] =>
  paths.some((path) => path.includes('\\')) ? [(path) => path, submittedPath] : [(path) => path]

type Accepted = { path: string; handle: string }
/** Answer to a submission. `entries` is undefined if P5 does not list them. */
export type Submitted = { jobId: string; entries: Accepted[] | undefined }

/** Reads an answer to a submission of any shape, since the job exists by then. */
export function readSubmitted(body: unknown): Submitted {
  if (typeof body !== 'object' || body === null) return { jobId: '', entries: undefined }
  const entries = propertyOf(body, 'entries')
  return {
    jobId: textOf(propertyOf(body, 'id')),
    entries: Array.isArray(entries) ? entries.map(acceptedOf) : undefined,
  }
}

function acceptedOf(entry: unknown): Accepted {
  if (typeof entry !== 'object' || entry === null) return { path: '', handle: textOf(entry) }
  const handle = propertyOf(entry, 'handle') ?? propertyOf(entry, 'id')
  return { path: textOf(propertyOf(entry, 'path')), handle: textOf(handle) }
}

/** Entries of an answer by submitted path. Entries without paths are in the order of the submission if none is missing. */
export function acceptedByPath(entries: Accepted[], paths: string[]): Map<string, string> {
  const isInOrder = entries.length === paths.length && entries.every(({ path }) => path === '')
  return new Map(
    entries.map(({ path, handle }, i) => [isInOrder ? (paths[i] ?? '') : path.replaceAll('\\\\', '\\'), handle]),
  )
}

/** Handle in an answer to `archive/entries`: an object with it, or a list of one. */
export function readHandle(body: unknown): string | undefined {
  if (typeof body === 'string') return body.includes('#') ? body.trim() : undefined
  if (typeof body !== 'object' || body === null) return undefined
  const list = Array.isArray(body) ? (body as unknown[]) : propertyOf(body, 'entries')
  const entry: unknown = Array.isArray(list) ? list[0] : body
  if (typeof entry !== 'object' || entry === null) return textOf(entry) || undefined
  return textOf(propertyOf(entry, 'id')) || textOf(propertyOf(entry, 'handle')) || undefined
}

/** Result of a file in a job's protocol. */
export type FileResult = { path: string; isDone: boolean; error: string }

/** Files in a protocol of any shape: objects with a path and a result. No files if it has none. */
export function readProtocol(body: unknown): FileResult[] {
  if (Array.isArray(body)) return body.flatMap(readProtocol)
  if (typeof body !== 'object' || body === null) return []
  const path = textOf(propertyOf(body, 'path') ?? propertyOf(body, 'file') ?? propertyOf(body, 'name'))
  const result = textOf(propertyOf(body, 'result') ?? propertyOf(body, 'status'))
  if (path === '' || result === '') return Object.values(body).flatMap(readProtocol)
  const error = textOf(propertyOf(body, 'error') ?? propertyOf(body, 'message'))
  return [{ path, isDone: /^(done|ok|success|completed|restored|archived)$/i.test(result), error }]
}
