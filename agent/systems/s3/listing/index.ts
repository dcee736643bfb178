import type { OddRecords } from '../../oddRecords.ts'
import { newSeenPaths } from '../../seenPaths.ts'
import { type OpenedStore, type Page, type PageOptions, ScanFailed } from '../../system.ts'
import type { StoreClient } from '../client.ts'
import { StoreRefused } from '../failures.ts'
import type { ListedObject } from '../../objectEntry.ts'
import { type PageEnds, type Sequence, sequenceStep } from './inSequence.ts'
import { decodePage, type ListedPage, newSpelling, type Spelling } from './keys.ts'
import { isBefore, isUncut, OutOfOrder, type Part, type Question, questionOf, type Step, stepOf } from './ranges.ts'
import { type RawPage, readPage } from './readPage.ts'

type BucketPlace = {
  bucket: string
  prefix: string
  /** Amazon itself: it writes keys as documented. */
  isAmazon: boolean
  /** A store of no known provider, which may list keys in any order. */
  isUnknown: boolean
  odd: OddRecords
}

/** Maximum number of keys in a page; no store returns more. */
const keysOfPage = 1_000

/**
 * A bucket as the store lists it, in one of three ways. Keys in the order of their bytes: in ranges, side by side. Other orders: page by
 * page, by continuation tokens. Stores that only have ListObjects: page by page, by markers. The first page and that of the folders
 * decide. A store that is seen to lose the order later, when ranges were read, is listed from the start in sequence, without the keys that
 * were sent.
 */
export class BucketListing implements Pick<OpenedStore, 'page' | 'check'> {
  readonly #place: BucketPlace
  readonly #ask: ReturnType<typeof lister>
  readonly #seen = newSeenPaths()
  readonly #spelling: ReturnType<typeof newSpelling>
  /** False in an attempt that continues another one, whose keys are not known here. */
  #knowsAll = false
  /** True once everything is listed again in sequence: ranges that are left are of no use. */
  #isRepeating = false
  #ends: PageEnds | undefined
  /** Idle requests for which pages that are on their way look for folders. No other page looks for the same ones. */
  #promised = 0

  constructor(client: StoreClient, place: BucketPlace) {
    this.#place = place
    this.#ask = lister(client, place.bucket)
    this.#spelling = newSpelling(place.isAmazon)
  }

  page(text: string, { idle, signal }: PageOptions): Promise<Page> {
    if (text !== '') {
      const part: Part | Sequence = JSON.parse(text)
      return 'by' in part ? this.#sequencePage(part, signal) : this.#rangePage(part, idle, signal)
    }
    this.#knowsAll = true
    const { prefix } = this.#place
    return eitherVersion(
      () => this.#rangePage({ prefix }, idle, signal),
      () => this.#sequencePage({ by: 'marker', prefix }, signal),
    )
  }

  async check(signal: AbortSignal): Promise<void> {
    const { prefix } = this.#place
    await eitherVersion(
      () => this.#ask.version2({ ...everything, prefix }, signal, 1),
      () => this.#ask.version1(prefix, undefined, signal, 1),
    )
  }

  /** The spelling of keys, as far as it was determined. */
  spelling(): Spelling {
    return this.#spelling.known()
  }

  async #rangePage(part: Part, idle: number, signal: AbortSignal): Promise<Page> {
    if (this.#isRepeating) return this.#pageOf([], [])
    const free = Math.max(0, idle - this.#promised)
    const question = questionOf(part, free)
    const promised = question.byLevel ? free : 0
    this.#promised += promised
    const page = await listAgain(part, question, (each) => this.#ask.range(each, signal))
      .then((raw) => this.#decoded(raw, signal))
      .finally(() => (this.#promised -= promised))
    // Another part may have lost the order meanwhile.
    if (this.#isRepeating) return this.#pageOf([], [])
    const { prefix } = this.#place
    if (page.isVersion1) return this.#inSequence({ by: 'marker', prefix }, page)
    const isWhole = part.prefix === prefix && isUncut(part)
    if (question.byLevel && isWhole && part.token !== undefined && !isAscending(page.prefixes))
      return this.#pageOf([], [{ by: 'token', prefix, at: part.token }])
    try {
      return this.#inRanges(page, stepOf(part, question, page, free))
    } catch (error) {
      if (!(error instanceof OutOfOrder)) throw error
      const isFirst = isWhole && (question.token !== undefined || question.startAfter === undefined)
      return isFirst ? this.#inSequence({ by: 'token', prefix, at: question.token }, page) : this.#repeatAll(error)
    }
  }

  #inRanges(page: ListedPage, { isByLevel, objects, rest, repeated }: Step): Page {
    const { odd, isUnknown } = this.#place
    if (!isByLevel) odd.add('noKey', page.withoutKey)
    odd.addRepeated(repeated)
    // Stores of known providers list in order, so that no key comes in two ranges.
    return this.#pageOf(isUnknown ? this.#unseen(objects) : objects, rest)
  }

  /** Ranges of a store that lost its order may lack keys: all is listed again, without the keys that were sent. */
  #repeatAll(error: OutOfOrder): Page {
    const { isUnknown, prefix } = this.#place
    if (!isUnknown || !this.#knowsAll || !this.#seen.isComplete()) throw error
    this.#isRepeating = true
    return this.#pageOf([], [{ by: 'token', prefix, isRepeat: true }])
  }

  async #sequencePage(part: Sequence, signal: AbortSignal): Promise<Page> {
    if (part.isRepeat && !this.#isRepeating)
      throw new ScanFailed('The store lists keys in another order than before. Start the scan again.')
    const { prefix } = this.#place
    const raw = await (part.by === 'token'
      ? this.#ask.version2({ ...everything, prefix, token: part.at }, signal)
      : this.#ask.version1(prefix, part.at, signal))
    return this.#inSequence(part, await this.#decoded(raw, signal))
  }

  #inSequence(part: Sequence, page: ListedPage): Page {
    if (part.last !== undefined) this.#seen.isNew(part.last)
    const step = sequenceStep(part, page, this.#ends)
    this.#ends = step.ends
    this.#place.odd.add('noKey', page.withoutKey)
    return this.#pageOf(this.#unseen(step.objects), step.next ? [step.next] : [])
  }

  #unseen(objects: readonly ListedObject[]): ListedObject[] {
    const fresh = objects.filter(({ key }) => this.#seen.isNew(key))
    if (!this.#isRepeating) this.#place.odd.addRepeated(objects.length - fresh.length)
    return fresh
  }

  async #decoded(page: RawPage, signal: AbortSignal): Promise<ListedPage> {
    const list = (prefix: string) => this.#ask.beginning(prefix, page.isVersion1, signal)
    return decodePage(page, await this.#spelling.of(page, list))
  }

  #pageOf(objects: Iterable<ListedObject>, rest: (Part | Sequence)[]): Page {
    return { entries: this.#place.odd.entriesOf(objects), rest: rest.map((part) => JSON.stringify(part)) }
  }
}

const everything: Question = { prefix: '', byLevel: false, startAfter: undefined, token: undefined }

/** Refusals of a request that a store does not know, in whole or a parameter of it. */
const unknownRequests =
  /^(NotImplemented|MethodNotAllowed|NotSupported|Unsupported\w*|Invalid(Argument|Request|Query\w*|Parameter\w*))$/

const isWithoutVersion2 = (error: unknown): boolean =>
  error instanceof StoreRefused &&
  (unknownRequests.test(error.refusal) || (error.refusal === '' && [400, 404, 405, 501].includes(error.status)))

/** Requests by ListObjectsV2, or by ListObjects of a store that only has that. Throws the first refusal if both are refused. */
async function eitherVersion<T>(version2: () => Promise<T>, version1: () => Promise<T>): Promise<T> {
  try {
    return await version2()
  } catch (refusal) {
    if (!isWithoutVersion2(refusal)) throw refusal
    return await version1().catch((error: unknown) => {
      throw isWithoutVersion2(error) ? refusal : error
    })
  }
}

const isAscending = (prefixes: readonly string[]): boolean =>
  prefixes.every((each, i) => i === 0 || isBefore(prefixes[i - 1] as string, each))

/** Requests for pages of a bucket. */
function lister(client: StoreClient, bucket: string) {
  const version1 = (
    prefix: string,
    marker: string | undefined,
    signal: AbortSignal,
    keys = keysOfPage,
  ): Promise<RawPage> => {
    const from = { ...(prefix === '' ? {} : { Prefix: prefix }), ...(marker === undefined ? {} : { Marker: marker }) }
    const input = { Bucket: bucket, MaxKeys: keys, EncodingType: 'url' as const, ...from }
    return client.listObjectsByMarker(input, readPage, signal)
  }
  const version2 = (question: Question, signal: AbortSignal, keys = keysOfPage): Promise<RawPage> =>
    client.listObjects(inputOf(bucket, question, keys), readPage, signal)
  return {
    version2,
    /** Folders are only looked for to list faster: a store that refuses to show them shows none. */
    range: (question: Question, signal: AbortSignal): Promise<RawPage> =>
      version2(question, signal).catch((error: unknown) => {
        if (!question.byLevel || !isWithoutVersion2(error)) throw error
        return noKeys
      }),
    version1,
    /** The first keys that begin with a prefix. */
    beginning: (prefix: string, isVersion1: boolean, signal: AbortSignal): Promise<RawPage> =>
      isVersion1 ? version1(prefix, undefined, signal) : version2({ ...everything, prefix }, signal),
  }
}

const noKeys: RawPage = {
  objects: [],
  prefixes: [],
  withoutKey: 0,
  isTruncated: false,
  token: undefined,
  nextMarker: undefined,
  isEncoded: false,
  isVersion1: false,
}

/** A token of an attempt before may be worth nothing by now; the last key still is. */
async function listAgain<T>(part: Part, question: Question, list: (question: Question) => Promise<T>): Promise<T> {
  try {
    return await list(question)
  } catch (error) {
    const isStale = error instanceof StoreRefused && /^Invalid(Argument|ContinuationToken|Token)$/.test(error.refusal)
    if (!isStale || question.token === undefined || part.after === undefined) throw error
    return await list({ ...question, token: undefined, startAfter: part.after })
  }
}

const inputOf = (bucket: string, { prefix, byLevel, startAfter, token }: Question, keys: number) => ({
  Bucket: bucket,
  MaxKeys: keys,
  EncodingType: 'url' as const,
  FetchOwner: !byLevel,
  ...(prefix === '' ? {} : { Prefix: prefix }),
  ...(byLevel ? { Delimiter: '/' } : {}),
  ...(token === undefined
    ? startAfter === undefined
      ? {}
      : { StartAfter: startAfter }
    : { ContinuationToken: token }),
})
