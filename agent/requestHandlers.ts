import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { headers, type Msg } from 'nats'
import { type DigestAnswer, DigestQuestion, readWithinMs } from '#events/actions/copies.ts'
import { type IconikAnswer, IconikQuestion } from '#events/actions/iconik.ts'
import { type StorNextAnswer, StorNextQuestion } from '#events/actions/storNext.ts'
import { type TransferAnswer, TransferQuestion } from '#events/actions/transfers.ts'
import { type BaselineAnswer, BaselineQuestion } from '#events/scans/baselineQuestion.ts'
import { type ArchiwareAnswer, ArchiwareQuestion } from '#events/sources/archiwareQuestion.ts'
import { type BucketAnswer, BucketQuestion } from '#events/sources/bucketQuestion.ts'
import { maxAnswerBytes, refusedHeader, subjects, tooLargeHeader } from '#events/subjects.ts'
import type { TaskContext } from './execution.ts'
import { probeFolder } from './probeFolder.ts'
import { checkStore, namesOfBuckets } from './systems/objectStores.ts'
import { unsealed } from './scan/pages/sealedBaseline.ts'
import { keepBaseline } from './systems/index.ts'
import { fieldOf, messageOf, ScanFailed } from './systems/system.ts'
import { RequestRefused } from './watchdog/index.ts'

type RequestName = 'look' | 'bucket' | 'baseline' | 'archiware' | 'storNext' | 'transfers' | 'iconik' | 'digests'
/** Handlers of requests about storages, by the names of their subjects. */
export type RequestHandlers = Record<RequestName, (text: string) => Promise<unknown>>

/** Returns the handlers of requests, which open these systems. */
export const requestHandlers = ({ systems }: Pick<HandlerContext, 'systems'>): RequestHandlers => ({
  look: (text) => probeFolder(text, systems),
  bucket: listBuckets,
  baseline: extendBaseline,
  archiware: listArchiware,
  storNext: lookUpStoredFile,
  transfers: listTransfers,
  iconik: listIconik,
  digests: digestFiles,
})

/** Handles requests of the server about storages, for example during their setup. Returns a function that stops it. */
export function startRequestHandlers(context: HandlerContext, handlers = requestHandlers(context)): () => void {
  const { agentId } = context.connection
  const ends = Object.entries(handlers).map(([name, answer]) =>
    handle(context, subjects[name as RequestName](agentId), answer),
  )
  return () => ends.forEach((end) => end())
}

type HandlerContext = Pick<TaskContext, 'connection' | 'systems' | 'suspects'>

/** Answers requests on a subject, except those that hung the agent before. Failures are logged. */
function handle(
  { connection: { nats, log }, suspects }: HandlerContext,
  subject: string,
  answer: (text: string) => Promise<unknown>,
) {
  const answered = async (message: Msg): Promise<void> => {
    const text = message.string()
    const close = suspects?.opened(`${subject} ${text}`)
    try {
      await respond(message, await answer(text))
    } finally {
      close?.()
    }
  }
  const subscription = nats.subscribe(subject, {
    callback: (_, message) => {
      void answered(message).catch((error: unknown) => {
        log.warn({ subject, reason: messageOf(error) }, 'request failed')
        if (error instanceof RequestRefused) refuse(message, error.message)
      })
    },
  })
  return () => subscription.unsubscribe()
}

function refuse(message: Msg, reason: string): void {
  const marked = headers()
  marked.set(refusedHeader, 'true')
  message.respond(reason, { headers: marked })
}

const compressed = promisify(gzip)

/** Size in bytes from which answers are compressed. */
const compressedFrom = 100_000

/** Largest message in bytes: NATS takes 1 MiB, headers included. */
const maxMessageBytes = 1024 ** 2 - 4 * 1024

/**
 * Answers a request of the server. If an answer doesn't fit into a message, its lists are cut at their ends, and it gets `hasMore`. One that
 * still doesn't fit is replaced by a mark: without any answer, the server would take the agent for offline.
 */
export async function respond(message: Msg, answer: unknown): Promise<void> {
  const text = Buffer.from(JSON.stringify(answer))
  if (text.length < compressedFrom) {
    message.respond(text)
    return
  }
  const marked = headers()
  const packed = text.length > maxAnswerBytes ? undefined : await compressed(text)
  if (packed !== undefined && packed.length <= maxMessageBytes) {
    marked.set('Content-Encoding', 'gzip')
    message.respond(packed, { headers: marked })
    return
  }
  const fitting = packed === undefined ? maxAnswerBytes / text.length : maxMessageBytes / packed.length
  const shorter = withShorterLists(answer, 0.95 * fitting)
  if (shorter !== undefined) return respond(message, shorter)
  marked.set(tooLargeHeader, 'true')
  message.respond(undefined, { headers: marked })
}

/** The answer with the first part of each list, a share below 1; undefined if it has no list that could be cut. */
function withShorterLists(answer: unknown, share: number): object | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined
  const fields = Object.entries(answer)
  if (!fields.some(([, value]) => Array.isArray(value) && value.length > 0)) return undefined
  const shorter = fields.map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value.slice(0, Math.floor(value.length * share)) : value,
  ])
  return { ...Object.fromEntries(shorter), hasMore: true }
}

/** Milliseconds that external systems may take to respond; the server waits a little longer. */
const providerTimeoutMs = 18_000
const baselineTimeoutMs = 50_000
const archiwareTimeoutMs = 58_000
const storNextTimeoutMs = 28_000
const transfersTimeoutMs = 28_000
const iconikTimeoutMs = 58_000

/** Lists the buckets of a store, or returns the reason why it can't be listed. */
export async function listBuckets(text: string): Promise<BucketAnswer> {
  const { type, store } = BucketQuestion.parse(JSON.parse(text))
  const signal = AbortSignal.timeout(providerTimeoutMs)
  const listed = { reason: null, field: null, isDenied: false }
  try {
    if (type === 'names') return { ...listed, names: await namesOfBuckets(store, signal) }
    await checkStore(store, signal)
    return { ...listed, names: [] }
  } catch (error) {
    if (signal.aborted) return { reason: 'The provider did not respond', field: 'host', isDenied: false, names: [] }
    const isDenied = error instanceof ScanFailed && error.isDenied
    return { reason: messageOf(error), field: fieldOf(error), isDenied, names: [] }
  }
}

/** Keeps the state that the next scan of a storage compares with. Returns the reason if that is not possible. */
async function extendBaseline(text: string): Promise<BaselineAnswer> {
  const { source, baseline } = BaselineQuestion.parse(JSON.parse(text))
  try {
    const isKept = await keepBaseline(source, unsealed(baseline), AbortSignal.timeout(baselineTimeoutMs))
    return { reason: isKept ? null : 'The baseline no longer exists; the next scan is a full one' }
  } catch (error) {
    return { reason: messageOf(error) }
  }
}

const nothing = { failure: null, names: [], plans: [] }

/** Lists the indexes, plans or clients of a P5 server, or returns the reason why it can't. */
async function listArchiware(text: string): Promise<ArchiwareAnswer> {
  const { type, connection } = ArchiwareQuestion.parse(JSON.parse(text))
  const signal = AbortSignal.timeout(archiwareTimeoutMs)
  try {
    const { clientsOf, namesOfIndexes, plansOf } = await import('./systems/archiware/index.ts')
    if (type === 'plans') return { ...nothing, plans: await plansOf(connection, signal) }
    if (type === 'indexes') return { ...nothing, names: await namesOfIndexes(connection, signal) }
    return { ...nothing, names: (await clientsOf(connection, signal)).map(({ clientName }) => clientName) }
  } catch (error) {
    const message = signal.aborted ? 'Archiware P5 did not respond' : messageOf(error)
    return { ...nothing, failure: { message, debugMessage: debugMessageOf(error) ?? message, field: fieldOf(error) } }
  }
}

/** Looks up a file in a StorNext server, or returns the reason why it can't. */
export async function lookUpStoredFile(text: string): Promise<StorNextAnswer> {
  const { connection, path } = StorNextQuestion.parse(JSON.parse(text))
  const signal = AbortSignal.timeout(storNextTimeoutMs)
  try {
    const { readStoredFile } = await import('./systems/stornext/storedFile.ts')
    return { failure: null, file: await readStoredFile(connection, path, signal) }
  } catch (error) {
    const message = signal.aborted ? 'StorNext did not respond' : messageOf(error)
    return { failure: { message, debugMessage: debugMessageOf(error) ?? message }, file: null }
  }
}

/** Lists the storages of the transfer service, or the folders of one, or returns the reason why it can't. */
export async function listTransfers(text: string): Promise<TransferAnswer> {
  const question = TransferQuestion.parse(JSON.parse(text))
  const signal = AbortSignal.timeout(transfersTimeoutMs)
  try {
    const { answerTo } = await import('./systems/transfers/lists.ts')
    return await answerTo(question, signal)
  } catch (error) {
    const message = signal.aborted ? 'The transfer service did not respond' : messageOf(error)
    return { failure: { message, debugMessage: debugMessageOf(error) ?? message }, storages: [], folders: [] }
  }
}

/** Lists the collections or storages of Iconik, or returns the reason why it can't. */
export async function listIconik(text: string): Promise<IconikAnswer> {
  const { connection, list } = IconikQuestion.parse(JSON.parse(text))
  const nothing = { failure: null, collections: [], storages: [] }
  const signal = AbortSignal.timeout(iconikTimeoutMs)
  try {
    const { listCollections, listStorages } = await import('./systems/iconik/lists.ts')
    if (list === 'storages') return { ...nothing, storages: await listStorages(connection, signal) }
    return { ...nothing, collections: await listCollections(connection, signal) }
  } catch (error) {
    const message = signal.aborted ? 'Iconik did not respond' : messageOf(error)
    return { ...nothing, failure: { message, debugMessage: debugMessageOf(error) ?? message } }
  }
}

/** Reads parts of files. What takes too long has no answer. */
async function digestFiles(text: string): Promise<DigestAnswer> {
  const question = DigestQuestion.parse(JSON.parse(text))
  const bytes = question.ranges.reduce((sum, { length }) => sum + length, 0)
  const { digestRanges } = await import('./systems/transfers/digestRanges.ts')
  return { digests: await digestRanges(question, AbortSignal.timeout(readWithinMs(bytes))) }
}

/** The system's own error message, if the error has one. */
const debugMessageOf = (error: unknown): string | undefined =>
  error instanceof Error && 'debugMessage' in error && typeof error.debugMessage === 'string'
    ? error.debugMessage
    : undefined
