import type { ListedObject } from '../../objectEntry.ts'
import { ScanFailed } from '../../system.ts'
import type { ListedPage } from './keys.ts'
import { foreignKey, isBefore, noNextPage } from './ranges.ts'

/**
 * A listing whose pages only follow from each other, in any order of keys: by the tokens of ListObjectsV2, or by the markers of
 * ListObjects, the first version. `at` is missing at its beginning.
 */
export type Sequence = {
  by: 'token' | 'marker'
  prefix: string
  at?: string | undefined
  /** The last key of the page before, which stores that count the marker itself send again. */
  last?: string | undefined
  /** It began after other parts of this attempt, whose keys it repeats. */
  isRepeat?: true
}

/** Keys at both ends of the page before, by which a store is recognized that sends the same page again and again. */
export type PageEnds = { first: string; last: string }

/** Objects of a page in sequence; `next` is missing after the last page. Throws `ScanFailed` with what the store lacks. */
export function sequenceStep(
  part: Sequence,
  page: ListedPage,
  before: PageEnds | undefined,
): { objects: ListedObject[]; next: Sequence | undefined; ends: PageEnds | undefined } {
  const { objects } = page
  if (objects.some(({ key }) => !key.startsWith(part.prefix))) throw foreignKey()
  const ends = endsOf(page)
  if (before && ends?.first === before.first && ends.last === before.last)
    throw new ScanFailed(
      `The store sends the same page again: it ignores the ${part.by === 'token' ? 'continuation token' : 'marker'}`,
    )
  if (!page.isTruncated) return { objects, next: undefined, ends }
  const at = part.by === 'token' ? page.token : markerAfter(page)
  if (at === undefined || at === part.at) throw noNextPage(part.by === 'token' ? 'NextContinuationToken' : 'NextMarker')
  return { objects, next: { ...part, at, last: ends?.last }, ends }
}

function endsOf({ objects }: ListedPage): PageEnds | undefined {
  const [first, last] = [objects[0]?.key, objects.at(-1)?.key]
  return first === undefined || last === undefined ? undefined : { first, last }
}

/** Without NextMarker, the last key is the marker, as in Amazon's lists without a delimiter. It needs keys in order. */
function markerAfter({ objects, nextMarker, isText }: ListedPage): string | undefined {
  if (nextMarker !== undefined) return nextMarker
  if (!isText) return undefined
  for (const [i, { key }] of objects.entries()) {
    const next = objects[i + 1]
    if (next && next.key !== key && !isBefore(key, next.key))
      throw new ScanFailed(
        'The store does not list keys in the order of their bytes and names no NextMarker, so its list cannot be continued',
      )
  }
  return objects.at(-1)?.key
}
