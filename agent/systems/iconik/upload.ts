import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { UploadOrder } from '#events/actions/orders.ts'
import type { TransportOptions } from '../http/transport.ts'
import type { Action, ActionContext, Batch } from '../../actions/action.ts'
import { newUploadHost } from './bytes/uploadHost.ts'
import { openClient } from './client.ts'
import { beginFile, finishFile, type KnownFile } from './fileOutcomes.ts'
import { openTarget } from './target.ts'
import { defaultSizes, defaultTiming, type Sizes, type Timing } from './timing.ts'
import { discardUnlessArrived, type Uploader } from './uploadFile.ts'

export type UploadOptions = { timing?: Timing; sizes?: Sizes; transport?: TransportOptions }

const filesAtOnce = 3

/**
 * Uploads files to a storage of Iconik, or registers them on the storage of a gateway. `send` creates the asset of a file, and `follow` finds
 * it by its reference if necessary and completes it, so that a crash at any moment neither loses a file nor creates it twice.
 */
export async function openUpload(
  order: UploadOrder,
  context: ActionContext,
  { timing = defaultTiming, sizes = defaultSizes, transport = {} }: UploadOptions = {},
): Promise<Action> {
  const client = openClient(order.connection, { timing, transport })
  const host = newUploadHost(order.connection.url, timing, transport)
  const close = async () => [client, host].forEach((each) => each.close())
  try {
    const target = await openTarget(client, order, context)
    const progress = newProgress(context.report)
    const uploader = { target, host, sizes, timing, report: context.report, onProgress: progress.set }
    return { ...newFileActions(uploader, progress.end), close }
  } catch (error) {
    await close()
    throw error
  }
}

function newFileActions(uploader: Uploader, onEnd: (reference: string) => void): Omit<Action, 'close'> {
  const known = new Map<string, KnownFile>()
  return {
    batchSize: 1,
    parallel: filesAtOnce,
    async send(batch, signal) {
      const sent: KnownFile = { ...fileOf(batch), isUnsent: true }
      known.set(batch.reference, sent)
      await beginFile(uploader, sent, signal)
    },
    async follow(batch, signal) {
      const sent = known.get(batch.reference) ?? { ...fileOf(batch), isUnsent: false }
      known.set(batch.reference, sent)
      const outcome: FileOutcome = sent.outcome ?? (await finishFile(uploader, sent, signal))
      known.delete(batch.reference)
      onEnd(batch.reference)
      return [outcome]
    },
    async cancel({ reference }, signal) {
      const work = known.get(reference)?.work
      if (work) await discardUnlessArrived(uploader, work, signal)
    },
  }
}

function fileOf({ reference, files: [file] }: Batch): { reference: string; file: PlannedFile } {
  if (!file) throw new Error('A batch without a file')
  return { reference, file }
}

/** Bytes of files in progress, until their outcomes are recorded. */
function newProgress(report: ActionContext['report']) {
  const sent = new Map<string, number>()
  const show = () => report({ bytesInProgress: [...sent.values()].reduce((sum, each) => sum + each, 0) })
  return {
    set(reference: string, bytes: number): void {
      sent.set(reference, bytes)
      show()
    },
    end(reference: string): void {
      if (sent.delete(reference)) show()
    },
  }
}
