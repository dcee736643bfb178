import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { MsgHdrs } from 'nats'
import { rowKinds, type BatchId } from '#events/scans/entryRow.ts'
import { batchHeaders, batchLimits, readBatchMessageId } from '#events/scans/batches.ts'

const unpack = promisify(zstdDecompress)
const lineEnd = 0x0a
const tab = 0x09
const firstKind = 0x30 + rowKinds.entry
const lastKind = 0x30 + rowKinds.checkpoint

/** Which batch a message says it is; nothing when its id and its headers do not agree on one. */
export function readBatchId(headers: MsgHdrs | undefined): ({ scanId: number } & BatchId) | undefined {
  const id = readBatchMessageId(headers?.get('Nats-Msg-Id') ?? '')
  if (!id || id.attempt < 1) return undefined
  const { attempt, batch } = batchHeaders
  const agree = headers?.get(attempt) === String(id.attempt) && headers.get(batch) === String(id.batch)
  return agree ? id : undefined
}

/** The rows of a batch, fit to be inserted as they are, or why they are not. */
export async function readBatch(packed: Uint8Array, id: BatchId): Promise<Buffer | string> {
  const tsv = await unpack(packed, { maxOutputLength: batchLimits.unpacked }).catch(notData)
  if (tsv === undefined) return 'a batch that does not unpack'
  if (!isUtf8(tsv)) return 'a batch that is not UTF-8'
  // The engine takes a statement to end at its first NUL, so that rows after it would be lost without a word.
  if (tsv.includes(0)) return 'a batch with a NUL'
  return everyRowIsOf(id, tsv) ? tsv : 'a batch with rows that are not its own'
}

/** Errors of the data have a code of zlib; a lack of memory, say, is no fault of the message. */
function notData(error: NodeJS.ErrnoException): undefined {
  if (!/^(ZSTD_|Z_|ERR_BUFFER_TOO_LARGE)/.test(error.code ?? '')) throw error
}

/**
 * Whether each line begins with the batch's own attempt and number and a known kind. An empty line would end the data
 * of an insert and make SQL of what follows it; it does not begin so either.
 */
function everyRowIsOf({ attempt, batch }: BatchId, tsv: Buffer): boolean {
  const beginning = Buffer.from(`${attempt}\t${batch}\t`)
  if (tsv.at(-1) !== lineEnd) return false
  for (let at = 0; at < tsv.length; at = tsv.indexOf(lineEnd, at) + 1) {
    const kindAt = at + beginning.length
    const kind = tsv[kindAt] ?? 0
    if (tsv.compare(beginning, 0, beginning.length, at, kindAt) !== 0) return false
    if (kind < firstKind || kind > lastKind || tsv[kindAt + 1] !== tab) return false
  }
  return true
}
