import { type BaselineAnswer, BaselineQuestion } from '#events/scans/baselineQuestion.ts'
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
