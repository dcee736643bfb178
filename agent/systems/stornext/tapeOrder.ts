import { inParallel } from '../inParallel.ts'
import type { Client } from './client.ts'
import { LoginRejected } from './failures.ts'
import { numberOf, propertyOf, textOf } from './unconfirmed.ts'

/** Requests for positions at the same time. */
const requestsAtOnce = 4
/** Maximum number of files whose positions are requested, one by one. */
const maxPositions = 1_000

type OnTape = { place: string; mediaId: string }

/**
 * Orders files by the tape of their first copy, and by their position there, so that each tape is mounted once and read in one
 * direction. A file whose position is unknown follows the others of its tape.
 */
export async function byTape<T extends OnTape>(client: Client, files: T[], signal: AbortSignal): Promise<T[]> {
  const blocks =
    files.length < maxPositions ? await blocksOf(client, sharingTapes(files), signal) : new Map<string, number>()
  const blockOf = ({ place }: T) => blocks.get(place) ?? Infinity
  const compare = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0)
  return files.toSorted((a, b) => a.mediaId.localeCompare(b.mediaId) || compare(blockOf(a), blockOf(b)))
}

/** Files that are not alone on their tape. */
function sharingTapes(files: OnTape[]): OnTape[] {
  const tapes = Map.groupBy(files, ({ mediaId }) => mediaId)
  return [...tapes].flatMap(([mediaId, onTape]) => (mediaId !== '' && onTape.length > 1 ? onTape : []))
}

async function blocksOf(client: Client, files: OnTape[], signal: AbortSignal): Promise<Map<string, number>> {
  const blocks = new Map<string, number>()
  await inParallel(files, requestsAtOnce, async ({ place }) => {
    const block = await blockOf(client, place, signal)
    if (block !== undefined) blocks.set(place, block)
  })
  return blocks
}

/** First block of a file on its tape. Undefined if it is not known: the order only saves time. */
async function blockOf(client: Client, place: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    const response = await client.call('file/fsfiletapeloc', { file: place }, { signal })
    const startBlock = propertyOf(propertyOf(response, 'fileInfo'), 'startBlock')
    return textOf(startBlock) === '' ? undefined : numberOf(startBlock)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof LoginRejected) throw error
    return undefined
  }
}
