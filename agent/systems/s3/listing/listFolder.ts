import { newSeenPaths } from '../../seenPaths.ts'
import type { ListedObject } from '../../objectEntry.ts'
import { whileBusy } from '../../whileBusy.ts'
import type { StoreClient } from '../client.ts'
import { decodePage, type newSpelling } from './keys.ts'
import { readPage } from './readPage.ts'

/** Requests for a page before a listing is abandoned: it is repeated as a whole later. */
const maxTries = 4

type Options = { bucket: string; spelling: ReturnType<typeof newSpelling>; signal: AbortSignal }

/**
 * Lists what is directly in a folder of a bucket, page by page: its objects, and the names of the folders in it as prefixes, 'films/2024/'. `prefix` is ''
 * or ends with a slash. Each is listed once, also by stores that send the last key of a page again. Throws as pages of a bucket do.
 */
export async function* listFolder(
  client: StoreClient,
  prefix: string,
  { bucket, spelling, signal }: Options,
): AsyncGenerator<{ objects: ListedObject[]; prefixes: string[] }> {
  const seen = newSeenPaths()
  const list = (input: object) =>
    whileBusy(
      () => client.listObjects({ Bucket: bucket, MaxKeys: 1_000, EncodingType: 'url', ...input }, readPage, signal),
      signal,
      maxTries,
    )
  const beginning = prefix === '' ? {} : { Prefix: prefix }
  for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
    const more = token === undefined ? {} : { ContinuationToken: token }
    const raw = await list({ ...beginning, Delimiter: '/', FetchOwner: true, ...more })
    const page = decodePage(raw, await spelling.of(raw, (key) => list({ Prefix: key })))
    token = page.isTruncated ? page.token : undefined
    yield {
      objects: page.objects.filter(({ key }) => seen.isNew(`o${key}`)),
      prefixes: page.prefixes.filter((folder) => seen.isNew(`f${folder}`)),
    }
  }
}
