import { abortable } from '../../abortable.ts'
import type { PackedBatch } from '../batches.ts'
import { batchesOnTheirWay, type WalkListener } from '../progress.ts'

/**
 * Sends batches and bounds how many are on their way. `signal` is aborted with that of the scan, and with the error of a
 * batch that cannot be sent.
 */
export function newBatchSender(listener: Pick<WalkListener, 'batch'>, scanSignal: AbortSignal) {
  const onTheirWay = new Set<Promise<void>>()
  const controller = new AbortController()
  const signal = AbortSignal.any([scanSignal, controller.signal])
  return {
    signal,
    send(packed: PackedBatch) {
      const sent: Promise<void> = listener.batch(packed).then(
        () => void onTheirWay.delete(sent),
        (error: unknown) => controller.abort(error),
      )
      onTheirWay.add(sent)
    },
    isFull: () => onTheirWay.size >= batchesOnTheirWay,
    /** Waits until one more batch may be on its way. */
    async room(): Promise<void> {
      while (onTheirWay.size >= batchesOnTheirWay) await abortable(Promise.race(onTheirWay), signal)
    },
    /** Waits until all are taken. */
    async settled(): Promise<void> {
      await abortable(Promise.all(onTheirWay), signal)
      signal.throwIfAborted()
    },
    /** Ends what still waits for the signal. */
    stop: () => controller.abort(new Error('The walk is over')),
  }
}
