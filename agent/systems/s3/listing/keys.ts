import { nameFromBytes } from '#events/contract/fileNames.ts'
import type { ListedObject } from '../../objectEntry.ts'
import type { RawPage } from './readPage.ts'

/**
 * A page whose keys are those of the bucket. `isText` says whether all of them are UTF-8, so that they can be named in a request.
 */
export type ListedPage = Omit<RawPage, 'isEncoded'> & { isText: boolean }

/** A store's way to write keys. `+` is a space where stores encode them as forms do, and itself where they encode `+` or nothing. */
export type Spelling = { isEncoded: boolean; plus: ' ' | '+' }

/** Amazon's spelling, which most stores copy. */
const spellingOfAmazon: Spelling = { isEncoded: true, plus: ' ' }
const unchanged: Spelling = { isEncoded: false, plus: '+' }

/** The spelling that a page declares, as Amazon's do. */
export const declaredSpelling = ({ isEncoded }: RawPage): Spelling => (isEncoded ? spellingOfAmazon : unchanged)

/** Decodes the keys of a page. */
export function decodePage(page: RawPage, spelling: Spelling): ListedPage {
  const { isEncoded: _, ...same } = page
  if (!spelling.isEncoded) return { ...same, isText: true }
  let isText = true
  const decoded = (raw: string) => decodeKey(raw, spelling.plus, () => (isText = false))
  const objects = page.objects.map((object): ListedObject => ({ ...object, key: decoded(object.key) }))
  const prefixes = page.prefixes.map(decoded)
  const nextMarker = page.nextMarker === undefined ? undefined : decoded(page.nextMarker)
  return { ...same, objects, prefixes, nextMarker, isText }
}

/** Decodes a URL-encoded key; calls `onOdd` for one that is not UTF-8. */
export function decodeKey(raw: string, plus: Spelling['plus'], onOdd: () => void = () => {}): string {
  const encoded = plus === ' ' && raw.includes('+') ? raw.replaceAll('+', '%20') : raw
  if (!encoded.includes('%')) return encoded
  try {
    return decodeURIComponent(encoded)
  } catch {
    onOdd()
    return nameFromBytes(bytesOf(encoded))
  }
}

/** The bytes of a key that is not UTF-8. */
const bytesOf = (encoded: string): Buffer =>
  Buffer.concat(
    encoded
      .split(/(%[0-9a-fA-F]{2})/)
      .map((part) => (/^%[0-9a-fA-F]{2}$/.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part))),
  )

/** Requests the page of keys that begin with a prefix. */
type ListPrefix = (prefix: string) => Promise<RawPage>

/**
 * Determines how a store writes keys. S3 encodes a space as `+`; some stores leave `+` unchanged and write `%20`, and some ignore the
 * request to encode, or encode without saying so. Where a key can be read in two ways and no other key of its page decides, the store is
 * requested to list that key: its answer to the right reading contains it.
 */
export function newSpelling(isAmazon: boolean) {
  let plus: Promise<Spelling['plus']> | undefined
  let undeclared: Promise<boolean> | undefined
  let known: Spelling = spellingOfAmazon

  const remember = (spelling: Spelling): Spelling => (known = spelling)
  return {
    async of(page: RawPage, list: ListPrefix): Promise<Spelling> {
      if (isAmazon) return declaredSpelling(page)
      const keys = keysIn(page)
      if (!page.isEncoded) {
        if (!undeclared && !keys.some((key) => maybeEncoded.test(key))) return unchanged
        undeclared ??= areEncoded(keys, list)
        if (!(await forgetFailure(undeclared, () => (undeclared = undefined)))) return remember(unchanged)
      }
      if (!plus && !keys.some((key) => key.includes('+'))) return spellingOfAmazon
      plus ??= plusIn(keys, list)
      return remember({ isEncoded: true, plus: await forgetFailure(plus, () => (plus = undefined)) })
    },
    /** The spelling as far as it was determined. */
    known: () => known,
  }
}

async function plusIn(keys: readonly string[], list: ListPrefix): Promise<Spelling['plus']> {
  if (keys.some((key) => key.includes('%20'))) return '+'
  if (keys.some((key) => /%2b/i.test(key))) return ' '
  const raw = keys.find((key) => key.includes('+')) as string
  return (await isListed(decodeKey(raw, '+'), raw, list)) ? '+' : ' '
}

async function areEncoded(keys: readonly string[], list: ListPrefix): Promise<boolean> {
  if (keys.some(cannotBeEncoded)) return false
  const raw = keys.find((key) => maybeEncoded.test(key)) as string
  if (await isListed(raw, raw, list)) return false
  return (await isListed(decodeKey(raw, '+'), raw, list)) || isListed(decodeKey(raw, ' '), raw, list)
}

const isListed = async (prefix: string, raw: string, list: ListPrefix): Promise<boolean> =>
  keysIn(await list(prefix)).includes(raw)

/** A failed request decides nothing: the next page tries again. */
function forgetFailure<T>(answer: Promise<T>, forget: () => void): Promise<T> {
  return answer.catch((error: unknown) => {
    forget()
    throw error
  })
}

const maybeEncoded = /%[0-9a-f]{2}|\+/i
/** True if a key has a character that encoding would have replaced. */
const cannotBeEncoded = (key: string): boolean => /[^\x21-\x7e]|["<>\\^`{|}#?]|%(?![0-9a-f]{2})/i.test(key)

const keysIn = ({ objects, prefixes }: RawPage): string[] => [...objects.map(({ key }) => key), ...prefixes]
