import { type BaselineAnswer, BaselineQuestion } from '#events/scans/baselineQuestion.ts'
import { type ArchiwareAnswer, ArchiwareQuestion } from '#events/sources/archiwareQuestion.ts'
import { type BucketAnswer, BucketQuestion } from '#events/sources/bucketQuestion.ts'
import { subjects } from '#events/subjects.ts'
import type { Connection } from './connection.ts'
import type { TaskContext } from './execution.ts'
import { answerAboutFolder } from './folderLooks.ts'
import { checkStore, namesOfBuckets } from './systems/objectStores.ts'
import { unsealed } from './scan/pages/sealedBaseline.ts'
import { keepBaseline } from './systems/index.ts'
import { messageOf } from './systems/system.ts'

/** Answers what the server asks before a storage is set up. Gives back how to end that. */
export function startQuestions({ connection, systems }: Pick<TaskContext, 'connection' | 'systems'>): () => void {
  const { agentId } = connection
  const ends = [
    answerOn(connection, subjects.look(agentId), (text) => answerAboutFolder(text, systems)),
    answerOn(connection, subjects.bucket(agentId), answerAboutBucket),
    answerOn(connection, subjects.baseline(agentId), answerAboutBaseline),
    answerOn(connection, subjects.archiware(agentId), answerAboutArchiware),
  ]
  return () => ends.forEach((end) => end())
}

/** Answers what is asked on a subject; what cannot be answered is logged. */
function answerOn({ nats, log }: Connection, subject: string, answer: (text: string) => Promise<unknown>) {
  const asked = nats.subscribe(subject, {
    callback: (_, message) => {
      void answer(message.string())
        .then((said) => message.respond(JSON.stringify(said)))
        .catch((error: unknown) => log.warn({ subject, reason: messageOf(error) }, 'A question was not answered'))
    },
  })
  return () => asked.unsubscribe()
}

/** How long a provider may take to answer, in milliseconds; the server waits a little longer. */
const answerWithinMs = 18_000
const keepWithinMs = 50_000

/** How long a P5 server may take to answer, in milliseconds; the server waits a little longer. */
const archiwareAnswersWithinMs = 58_000

/** Names the buckets of a store, or the reason why it can't be listed. */
export async function answerAboutBucket(text: string): Promise<BucketAnswer> {
  const { type, store } = BucketQuestion.parse(JSON.parse(text))
  const signal = AbortSignal.timeout(answerWithinMs)
  try {
    if (type === 'names') return { reason: null, names: await namesOfBuckets(store, signal) }
    await checkStore(store, signal)
    return { reason: null, names: [] }
  } catch (error) {
    return { reason: signal.aborted ? 'The provider did not respond' : messageOf(error), names: [] }
  }
}

/** Keeps the state that the next scan of a storage lists changes from; answers the reason why that is not possible. */
export async function answerAboutBaseline(text: string): Promise<BaselineAnswer> {
  const { source, baseline } = BaselineQuestion.parse(JSON.parse(text))
  try {
    const isKept = await keepBaseline(source, unsealed(baseline), AbortSignal.timeout(keepWithinMs))
    return { reason: isKept ? null : 'It is gone: the next scan is a full one' }
  } catch (error) {
    return { reason: messageOf(error) }
  }
}

const nothing = { failure: null, names: [], plans: [] }

/** Names the indexes, plans or clients of a P5 server, or says why it can't. */
export async function answerAboutArchiware(text: string): Promise<ArchiwareAnswer> {
  const { type, connection } = ArchiwareQuestion.parse(JSON.parse(text))
  const signal = AbortSignal.timeout(archiwareAnswersWithinMs)
  try {
    const { clientsOf, namesOfIndexes, plansOf } = await import('./systems/archiware/index.ts')
    if (type === 'plans') return { ...nothing, plans: await plansOf(connection, signal) }
    if (type === 'indexes') return { ...nothing, names: await namesOfIndexes(connection, signal) }
    return { ...nothing, names: (await clientsOf(connection, signal)).map(({ clientName }) => clientName) }
  } catch (error) {
    const message = signal.aborted ? 'Archiware P5 did not respond' : messageOf(error)
    return { ...nothing, failure: { message, debugMessage: debugMessageOf(error) ?? message } }
  }
}

/** What a system answered in its own words, where the error has that. */
const debugMessageOf = (error: unknown): string | undefined =>
  error instanceof Error && 'debugMessage' in error && typeof error.debugMessage === 'string'
    ? error.debugMessage
    : undefined
