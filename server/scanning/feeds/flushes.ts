import type { MsgHdrs } from 'nats'
import { type FlushAnswer, flushHeaders, flushWithinMs } from '#events/feeds/flushes.ts'
import { checkBlock } from '#events/node/blocks/checkBlock.ts'
import { counter } from '#server/platform/http/metrics.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { applyFlush } from '#server/content/snapshots/index.ts'
import { countRefused, unpackBlock } from '#server/workers/ingest/index.ts'

const counted = counter('live_flushes_total', 'Flushes of followed storages, by answer', ['answer'])

export const later = (reason: string): FlushAnswer => ({ type: 'later', reason })
export const over = (reason: string): FlushAnswer => ({ type: 'over', reason })

export type CollectOptions = {
  apply: typeof applyFlush
  /** Called after each flush that is shown. */
  shown: () => void
  /** Bytes of blocks in memory, of all unfinished flushes. */
  maxBytes?: number
}
const defaultMaxBytes = 256 * 1024 * 1024

/** The headers of a block. */
type Part = { volumeId: number; session: string; number: number; part: number; isLast: boolean }

/** A flush whose last block is missing. `at`: milliseconds of the newest block. */
type Flush = { agentId: number; session: string; number: number; blocks: Buffer[]; at: number }

/** The flushes that this replica collects, one of a volume at a time, and applies once they are complete. */
export class Flushes {
  readonly #platform: Platform
  readonly #options: CollectOptions & { begun: (volumeId: number) => void }
  readonly #collected = new Map<number, Flush>()
  readonly #applying = new Set<number>()
  /** The replicas that collect flushes of volumes. */
  readonly #elsewhere = new Map<number, string>()

  /** `begun` tells other replicas that this one collects a flush of a volume. */
  constructor(platform: Platform, options: CollectOptions & { begun: (volumeId: number) => void }) {
    this.#platform = platform
    this.#options = options
  }

  /** The other replica that collects the flush of a block; undefined if none does. */
  collectorOf({ volumeId, part }: Part): string | undefined {
    return part === 1 || this.#collected.has(volumeId) ? undefined : this.#elsewhere.get(volumeId)
  }

  /** Another replica received the first block of a flush, which replaces one that was abandoned here. */
  begunElsewhere(volumeId: number, replica: string): void {
    this.#elsewhere.set(volumeId, replica)
    if (!this.#applying.has(volumeId)) this.#collected.delete(volumeId)
  }

  /** Takes a block of an agent. Throws if a store is down. */
  async take(agentId: number, part: Part | undefined, packed: Uint8Array): Promise<FlushAnswer> {
    if (!part) return this.#refuse(agentId, 'a flush without valid headers')
    const { volumeId, isLast } = part
    if (this.#applying.has(volumeId)) return later('The previous flush is still being stored')
    const refused = part.part === 1 && (await this.#begin(agentId, part))
    if (refused) return refused
    const block = await unpackBlock(packed)
    if (!block) return this.#refuse(agentId, 'a flush that does not unpack')
    const checked = checkBlock(block)
    if (typeof checked === 'string') return this.#refuse(agentId, checked)
    const flush = this.#collected.get(volumeId)
    if (!flush || !continues(flush, agentId, part)) return over('The blocks of the flush are not in order')
    if (this.#bytes() + block.length > (this.#options.maxBytes ?? defaultMaxBytes)) {
      this.#collected.delete(volumeId)
      if (this.#collected.size > 0) return later('The server has too many flushes to store')
      return this.#refuse(agentId, 'a flush that is too large')
    }
    flush.blocks.push(block)
    flush.at = Date.now()
    return isLast ? this.#apply(volumeId, flush) : { type: 'stored' }
  }

  async #refuse(agentId: number, reason: string): Promise<FlushAnswer> {
    await countRefused(this.#platform, agentId, reason)
    return over(`The server refused ${reason}`)
  }

  /** Begins a flush in place of an earlier one of the volume, or returns why not. */
  async #begin(agentId: number, { volumeId, session, number, isLast }: Part): Promise<FlushAnswer | undefined> {
    const volume = await this.#platform.db
      .selectFrom('volumes')
      .leftJoin('liveVolumes', 'liveVolumes.volumeId', 'volumes.id')
      .select(['agentId', 'session', 'followsChanges'])
      .where('id', '=', volumeId)
      .where('deletedAt', 'is', null)
      .executeTakeFirst()
    if (volume?.agentId !== agentId) return this.#refuse(agentId, 'a flush of no storage of this agent')
    if (!volume.followsChanges || volume.session !== session) return over('The session is over')
    const abandonedAt = Date.now() - flushWithinMs
    for (const [id, { at }] of this.#collected)
      if (at < abandonedAt && !this.#applying.has(id)) this.#collected.delete(id)
    this.#elsewhere.delete(volumeId)
    this.#collected.set(volumeId, { agentId, session, number, blocks: [], at: Date.now() })
    if (!isLast) this.#options.begun(volumeId)
    return undefined
  }

  async #apply(volumeId: number, { session, blocks }: Flush): Promise<FlushAnswer> {
    const { apply, shown } = this.#options
    this.#applying.add(volumeId)
    try {
      const answer = await apply(this.#platform, { volumeId, session, blocks })
      counted.inc({ answer: answer.type })
      if (answer.type === 'shown') shown()
      return answer
    } catch (error) {
      this.#platform.log.warn({ error, volumeId }, 'changes of a storage could not be stored, the agent will retry')
      counted.inc({ answer: 'later' })
      return later("The server can't store changes right now")
    } finally {
      this.#collected.delete(volumeId)
      this.#applying.delete(volumeId)
    }
  }

  #bytes(): number {
    const blocks = [...this.#collected.values()].flatMap((flush) => flush.blocks)
    return blocks.reduce((sum, { length }) => sum + length, 0)
  }
}

const continues = (flush: Flush, agentId: number, { session, number, part }: Part): boolean =>
  flush.agentId === agentId && flush.session === session && flush.number === number && flush.blocks.length === part - 1

/** Reads the headers of a block; undefined if they are malformed. */
export function readPart(sent: MsgHdrs | undefined): Part | undefined {
  if (!sent) return undefined
  const { volume, session, number, part, last } = flushHeaders
  const [volumeId, ofFlush, ofPart] = [volume, number, part].map((name) =>
    Number(/^[1-9]\d{0,8}$/.exec(sent.get(name))?.[0]),
  )
  if (!volumeId || !ofFlush || !ofPart) return undefined
  return { volumeId, session: sent.get(session), number: ofFlush, part: ofPart, isLast: sent.get(last) === 'true' }
}
