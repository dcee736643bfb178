import { shownName } from '#events/sources/p5Names.ts'
import { isName } from './names.ts'

/*
 * Details of P5's REST API that no public source confirms. Everything here accepts each reading, and is the only place that
 * depends on one.
 */

/** Paths of a call of the group `general`, in the order to try: an old capture of P5 has no groups. */
export const generalPaths = (call: string): [string, string] => [`general/${call}`, call]

/** Paths that may list the top level of an index. Some versions don't list it. */
export const rootPaths = ['inventory/', 'inventory'] as const

/** Folders at the top of an index whose top level can't be listed: those of macOS and of Linux. */
export const usualTopFolders = ['Volumes', 'mnt']

/** A header value for Node, which refuses most letters: those are percent-encoded as UTF-8. */
export const headerValue = (value: string): string => (/^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value))

/** Property of an object in any spelling: `deletefiles` finds `deleteFiles` and `DELETE_FILES`. */
export function propertyOf(object: object, name: string): unknown {
  const found = Object.entries(object).find(([key]) => key.toLowerCase().replaceAll(/[_ -]/g, '') === name)
  return found?.[1]
}

/** Text of a value; '' for none, which P5 may write as `<empty>`. */
export function textOf(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return text === '<empty>' ? '' : text
}

/** Whole number of a value, which may be a text; undefined for none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.floor(value)
  const text = textOf(value).trim()
  return /^-?\d+(\.\d+)?$/.test(text) ? Math.floor(Number(text)) : undefined
}

/** A boolean, which may be a number or a text. */
export const isSet = (value: unknown): boolean => value === true || /^(1|true|yes|on)$/i.test(textOf(value))

/** An entry of an inventory. The names of its other properties are confirmed. */
export type ListedEntry = Partial<
  Record<'volumes' | 'volume' | 'volumeid' | 'volumeId' | 'volumeIds' | 'type', unknown>
>

/** IDs of the volumes of an entry, as a list or a text with blanks between them. */
export function volumeIdsOf(entry: ListedEntry): string[] {
  const value = entry.volumes ?? entry.volume ?? entry.volumeid ?? entry.volumeId ?? entry.volumeIds
  const ids = Array.isArray(value) ? (value as unknown[]) : textOf(value).split(/[\s,]+/)
  return ids.map(textOf).filter((id) => id !== '')
}

/** Only the word for directories is confirmed; everything else is a file. */
export const isDirectory = ({ type }: ListedEntry): boolean => /^directory$/i.test(textOf(type))

/** Attributes of a dump, whose lines have the path in the index before them. */
export const dumpAttributes = 'size btime mtime volumes'

/** State of an entry, to compare it with its others. Of a folder, only the archive time does. `volumes`: IDs in order, with blanks. */
export type EntryFacts = { size: number; modified: number; archived: number; volumes: string }

/** An entry of a dump, in a folder such as '/a/b'. A folder that only paths of entries below it name has no facts. */
export type DumpedEntry = { folder: string; name: string; facts?: EntryFacts }

/**
 * Reads a line of a dump; undefined for others. It is not confirmed how a dump writes tabs, line feeds and other bytes in names: an entry
 * that is read differently from the inventory looks changed, so that its folder is listed each time.
 */
export function dumpedEntryIn(line: string): DumpedEntry | undefined {
  const [path = '', size, archived, modified, volumes, ...others] = line.split('\t')
  const names = path.split('/').filter(isName).map(shownName)
  const name = names.pop()
  if (!path.startsWith('/') || name === undefined || volumes === undefined || others.length > 0) return undefined
  const folder = names.map((each) => `/${each}`).join('')
  const time = (value: unknown) => Math.max(0, numberOf(value) ?? 0)
  const ids = volumeIdsOf({ volumes: volumes.trim() }).sort().join(' ')
  return {
    folder,
    name,
    facts: { size: numberOf(size) ?? -1, archived: time(archived), modified: time(modified), volumes: ids },
  }
}

/**
 * True if a dump has this entry unchanged. An entry with several generations may have several lines: the last archived counts. A folder may
 * have no line of its own, and has the size 0, which files may have too.
 */
export function isAsDumped(known: EntryFacts & { isDirectory: boolean }, dumped: readonly DumpedEntry[]): boolean {
  const lines = dumped.flatMap(({ facts }) => facts ?? [])
  const last = lines.find(({ archived }) => archived === Math.max(...lines.map((line) => line.archived)))
  if (known.isDirectory) return dumped.length > 0 && (!last || (last.size === 0 && last.archived === known.archived))
  if (!last) return false
  const { size, modified, archived, volumes } = known
  return last.size === size && last.modified === modified && last.archived === archived && last.volumes === volumes
}

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
