import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { JsMsg, MsgHdrs } from 'nats'
import { batchHeaders, batchLimits, readBatchMessageId } from '#events/scans/batches.ts'
import { type CheckedBlock, checkBlock } from '#events/scans/blocks/checkBlock.ts'
import type { BatchId } from '#events/scans/entryRow.ts'
import { readScanSubject } from '#events/subjects.ts'
import { counter } from '#server/platform/http/metrics.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { OpenScan, openScans } from './openScans.ts'
import { insertBatch } from './stagingTable.ts'

type Scans = ReturnType<typeof openScans>
type Taken = { scanId: number } | { refused: string; agentId: number }

const batches = counter('ingested_batches_total', 'Batches of scans that were inserted')
const bytes = counter('ingested_bytes_total', 'Bytes of their unpacked rows')

/** Inserts the rows of a message, or says why they are refused. Throws when a store cannot take them right now. */
export async function takeBatch({ clickhouse }: Platform, message: JsMsg, scans: Scans): Promise<Taken> {
  const { agentId = 0, scanId = 0 } = readScanSubject(message.subject) ?? {}
  const id = readBatchId(message.headers)
  if (!id || id.scanId !== scanId) return { agentId, refused: 'a batch without the id of its scan' }
  const origin = { agentId, run: message.headers?.get(batchHeaders.run), attempt: id.attempt }
  const closed = await refusalNow(scans, scanId, origin)
  if (closed) return { agentId, refused: closed }
  const block = await readBatch(message.data)
  if (typeof block === 'string') return { agentId, refused: block }
  try {
    await insertBatch(clickhouse, scanId, id, block)
    batches.inc()
    bytes.inc(block.bytes.length)
    letGo(block.bytes)
    return { scanId }
  } catch (error) {
    scans.forget(scanId)
    const refused = isFaultOfRows(error) ? 'a batch with rows that cannot be' : undefined
    const reason = refused ?? refusal(await scans.find(scanId), origin)
    if (!reason) throw error
    return { agentId, refused: reason }
  }
}

/** A batch is not refused because of what was known of its scan a moment ago: it may be the first of a new attempt. */
async function refusalNow(scans: Scans, scanId: number, origin: Origin): Promise<string | undefined> {
  if (!refusal(await scans.find(scanId), origin)) return undefined
  scans.forget(scanId)
  return refusal(await scans.find(scanId), origin)
}

/** The sender of a batch. Its run is known to itself and the server alone, so no other process passes for it. */
type Origin = { agentId: number; run: string | undefined; attempt: number }

function refusal(scan: OpenScan | undefined, { agentId, run, attempt }: Origin): string | undefined {
  if (!scan || scan.agentId !== agentId) return 'a batch of no scan of this agent'
  if (!scan.open) return 'a batch of a closed scan'
  if (scan.attempt !== attempt) return 'a batch of another attempt'
  return scan.agentRun === run ? undefined : 'a batch of another run of the agent'
}

/** Whether the engine says that rows break a rule of the table: what else may be wrong with them is looked at before. */
const isFaultOfRows = (error: unknown): boolean => (error as { type?: unknown }).type === 'VIOLATED_CONSTRAINT'

/** Which batch a message says it is; nothing when its id and its headers do not agree on one. */
function readBatchId(headers: MsgHdrs | undefined): ({ scanId: number } & BatchId) | undefined {
  const id = readBatchMessageId(headers?.get('Nats-Msg-Id') ?? '')
  if (!id || id.attempt < 1) return undefined
  const { attempt, batch } = batchHeaders
  const agree = headers?.get(attempt) === String(id.attempt) && headers.get(batch) === String(id.batch)
  return agree ? id : undefined
}

const unpack = promisify(zstdDecompress)

/**
 * Bytes of memory that a batch is unpacked into at a time: a usual one at once, or it would be put together of pieces and held
 * twice. Not more for a small one, for the memory is cleared first.
 */
const chunkSize = ({ length }: Uint8Array): number => Math.min(Math.max(length * usualRatio, 16_384), 8 * 1024 * 1024)
const usualRatio = 40

/** What is smaller may be a part of a buffer that Node shares. */
const surelyOwn = 1024 * 1024

/** Gives the memory of a block back at once: so little happens here that a collection may be long in coming. */
function letGo({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= surelyOwn) buffer.transfer(0)
}

/** The rows of a batch, fit to be handed to the engine, or why they are not. */
async function readBatch(packed: Uint8Array): Promise<CheckedBlock | string> {
  const options = { maxOutputLength: batchLimits.unpacked, chunkSize: chunkSize(packed) }
  const block = await unpack(packed, options).catch(notData)
  return block === undefined ? 'a batch that does not unpack' : checkBlock(block)
}

/** Errors of the data have a code of zlib; a lack of memory, say, is no fault of the message. */
function notData(error: NodeJS.ErrnoException): undefined {
  if (!/^(ZSTD_|Z_|ERR_BUFFER_TOO_LARGE)/.test(error.code ?? '')) throw error
}
