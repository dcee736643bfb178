import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { MsgHdrs } from 'nats'
import { type CheckedBlock, checkBlock } from '#events/scans/blocks/checkBlock.ts'
import type { BatchId } from '#events/scans/entryRow.ts'
import { batchHeaders, batchLimits, readBatchMessageId } from '#events/scans/batches.ts'

const unpack = promisify(zstdDecompress)

/** Which batch a message says it is; nothing when its id and its headers do not agree on one. */
export function readBatchId(headers: MsgHdrs | undefined): ({ scanId: number } & BatchId) | undefined {
  const id = readBatchMessageId(headers?.get('Nats-Msg-Id') ?? '')
  if (!id || id.attempt < 1) return undefined
  const { attempt, batch } = batchHeaders
  const agree = headers?.get(attempt) === String(id.attempt) && headers.get(batch) === String(id.batch)
  return agree ? id : undefined
}

/** The rows of a batch, fit to be handed to the engine, or why they are not. */
export async function readBatch(packed: Uint8Array): Promise<CheckedBlock | string> {
  const block = await unpack(packed, { maxOutputLength: batchLimits.unpacked }).catch(notData)
  return block === undefined ? 'a batch that does not unpack' : checkBlock(block)
}

/** Errors of the data have a code of zlib; a lack of memory, say, is no fault of the message. */
function notData(error: NodeJS.ErrnoException): undefined {
  if (!/^(ZSTD_|Z_|ERR_BUFFER_TOO_LARGE)/.test(error.code ?? '')) throw error
}
