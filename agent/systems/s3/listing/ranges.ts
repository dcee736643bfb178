import { bytesOfName } from '#events/contract/fileNames.ts'
import type { ListedObject } from '../../objectEntry.ts'
import { ScanFailed } from '../../system.ts'
import type { ListedPage } from './keys.ts'

/**
 * A range of keys, in the order of their bytes, that is still to be listed. It begins behind the key `after`, or behind all keys that
 * begin with `behind`, and ends with all that begin with `until`.
 */
export type Part = {
  prefix: string
  after?: string | undefined
  behind?: string | undefined
  until?: string | undefined
  /** The store's own place to continue. */
  token?: string | undefined
  /** Pages to list before the folders of the part are looked for, and how often they were looked for in vain. */
  pages?: number
  vain?: number | undefined
}

/** Request for a part: all its keys, or by level, which lists the folders of the prefix. */
export type Question = { prefix: string; byLevel: boolean; startAfter: string | undefined; token: string | undefined }

/** Objects of a page, the parts that it leaves, and the number of keys that were listed again. A page by level sends nothing. */
export type Step = { isByLevel: boolean; objects: ListedObject[]; rest: Part[]; repeated: number }

/** A store that does not list keys in the order of their bytes: ranges would leave out some. */
export class OutOfOrder extends ScanFailed {
  constructor() {
    super('The store does not list keys in the order of their bytes, as S3 does')
  }
}

/** True for a part from which no other one was cut off: the rest of its prefix follows from the token alone. */
export const isUncut = ({ behind, until }: Part): boolean => behind === undefined && until === undefined

/** Longest key of a store, in bytes. */
const maxKey = 1_024
const lastCharacter = '\u{10ffff}'
/** Pages at most between two looks for folders, as a power of two. */
const maxVain = 8

/**
 * The next question of a part. Folders are looked for only when requests are `idle`, and only of a part that has been seen to
 * fill a page: a small one is listed in one request. So most pages are full ones, however many folders there are.
 */
export function questionOf(part: Part, idle: number): Question {
  const { prefix, after, behind, pages, token } = part
  const byLevel = idle > 0 && pages === 0 && (after ?? behind) !== undefined
  const passed = byLevel ? (folderOfPart(part) ?? behind) : after === undefined ? behind : undefined
  const startAfter = passed === undefined ? after : endOf(passed)
  return { prefix, byLevel, startAfter, token: byLevel ? undefined : token }
}

/** The place after all keys that begin with a prefix. If it would be too long for a key, the place after the prefix itself. */
const endOf = (prefix: string): string =>
  Buffer.byteLength(prefix) + 4 > maxKey ? prefix : `${prefix}${lastCharacter}`

/** The folder right below the prefix in which a part is, unless it is that of another part. */
function folderOfPart({ prefix, after, behind }: Part): string | undefined {
  if (after === undefined || (behind !== undefined && after.startsWith(behind))) return undefined
  const slash = after.indexOf('/', prefix.length)
  return slash < 0 ? undefined : after.slice(0, slash + 1)
}

/**
 * Applies the page that answers a request of a part. Throws `ScanFailed` when the store lists keys outside of the request, and
 * `OutOfOrder`.
 */
export const stepOf = (part: Part, question: Question, page: ListedPage, idle: number): Step =>
  question.byLevel
    ? { isByLevel: true, objects: [], rest: rangesOf(part, page, idle + 1), repeated: 0 }
    : flatStep(part, question, page)

function flatStep(part: Part, question: Question, page: ListedPage): Step {
  const repeated = repeatedKeys(part, question, page)
  const { behind, until } = part
  const last = page.objects.at(-1)?.key
  const isOver = last !== undefined && until !== undefined && isBeyond(last, until, page.isText)
  const objects = page.objects.filter(
    (object) =>
      !repeated.has(object) &&
      !(behind !== undefined && object.key.startsWith(behind)) &&
      !(isOver && isBeyond(object.key, until, page.isText)),
  )
  const rest = isOver || !page.isTruncated ? [] : [partAfter(part, page, last)]
  return { isByLevel: false, objects, rest, repeated: repeated.size }
}

const noObjects: ReadonlySet<ListedObject> = new Set()

/**
 * Checks that keys go up, so that ranges leave out none. Returns the objects whose key is that of the one before, such as the last one of
 * the page before.
 */
function repeatedKeys(
  part: Part,
  { prefix, startAfter, token }: Question,
  page: ListedPage,
): ReadonlySet<ListedObject> {
  let repeated: Set<ListedObject> | undefined
  let last = token === undefined ? startAfter : part.after
  for (const object of page.objects) {
    const { key } = object
    if (!key.startsWith(prefix)) throw foreignKey()
    if (last !== undefined && page.isText && !isBefore(last, key)) {
      if (last !== key) throw new OutOfOrder()
      repeated = (repeated ?? new Set()).add(object)
    }
    last = key
  }
  return repeated ?? noObjects
}

/** The failure of a store that lists keys outside of the requested prefix. */
export const foreignKey = () => new ScanFailed('The store lists keys outside the requested prefix')

/** The failure of a store that names no place to continue, or the one at which the page began. */
export const noNextPage = (missing: string) =>
  new ScanFailed(`The store says that there are more keys, but not where: its answer has no new ${missing}`)

/** The rest of a part after a page that is not the last. */
function partAfter(part: Part, { isText, token }: ListedPage, last: string | undefined): Part {
  const { behind, until } = part
  const after = isText ? (last ?? part.after) : undefined
  const goesOn = token === undefined ? last !== undefined && after !== undefined : token !== part.token
  if (!goesOn) throw noNextPage('NextContinuationToken')
  const pages = isText ? Math.max(0, (part.pages ?? 1) - 1) : 2 ** maxVain
  // All that is left is in one folder.
  if (after !== undefined && until !== undefined && after.startsWith(until)) return { prefix: until, after, pages }
  const isPassed = behind !== undefined && last !== undefined && !last.startsWith(behind)
  return { ...part, after, behind: isPassed ? undefined : behind, token, pages }
}

/**
 * Cuts a part at the folders that a page by level shows: the current folder, and everything after it in up to `most` ranges. The ranges
 * leave out nothing, for any folders that a store shows, and keys on their level are part of them.
 */
function rangesOf(part: Part, page: ListedPage, most: number): Part[] {
  const { prefix, until } = part
  const current = folderOfPart(part)
  const passed = current ?? part.behind
  const folders = page.isText ? foldersIn(page.prefixes, part, passed) : []
  const size = Math.ceil(folders.length / most)
  const cuts = folders.filter((_, i) => (i + 1) % size === 0)
  // The rest after the last cut is a range of its own if there are more folders than the page shows.
  if (!page.isTruncated && folders.length % size === 0) cuts.pop()
  const starts = [
    passed === undefined ? { after: part.after } : { behind: passed },
    ...cuts.map((behind) => ({ behind })),
  ]
  const inFolder: Part[] = current === undefined ? [] : [{ prefix: current, after: part.after }]
  const ranges = [...inFolder, ...starts.map((start, i): Part => ({ prefix, ...start, until: cuts[i] ?? until }))]
  if (ranges.length > 1) return ranges
  const vain = Math.min((part.vain ?? 0) + 1, maxVain)
  return [{ ...part, vain, pages: 2 ** vain }]
}

/** The folders of a part after `passed`, as long as they ascend. */
function foldersIn(prefixes: readonly string[], { prefix, after, until }: Part, passed = after ?? ''): string[] {
  let last = passed
  return prefixes.filter((folder) => {
    const isIn = folder.startsWith(prefix) && isBefore(last, folder) && (until === undefined || isBefore(folder, until))
    if (isIn) last = folder
    return isIn
  })
}

/** True if a key sorts after all that begin with a prefix. Keys that are not text are compared by their bytes. */
const isBeyond = (key: string, prefix: string, isText: boolean): boolean =>
  !key.startsWith(prefix) &&
  (isText ? isBefore(prefix, key) : Buffer.compare(Buffer.from(prefix), bytesOfName(key)) < 0)

/** True if a text sorts before another in the order of their UTF-8 bytes, as stores list them. */
export function isBefore(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  for (let at = 0; at < shorter; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)]
    if (a !== b) return rank(a) < rank(b)
  }
  return one.length < other.length
}

/** Surrogates stand for what comes after all other characters. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
