import { type BucketAnswer, BucketQuestion } from '#events/sources/bucketQuestion.ts'
import { subjects } from '#events/subjects.ts'
import type { Connection } from './connection.ts'
import type { TaskContext } from './execution.ts'
import { probeFolder } from './probeFolder.ts'
import { checkStore, namesOfBuckets } from './systems/objectStores.ts'
import { messageOf } from './systems/system.ts'

/** Handles the server's requests during the setup of a storage. Returns a function that stops it. */
export function startRequestHandlers({ connection, systems }: Pick<TaskContext, 'connection' | 'systems'>): () => void {
  const { agentId } = connection
  const ends = [
    handleRequests(connection, subjects.look(agentId), (text) => probeFolder(text, systems)),
    handleRequests(connection, subjects.bucket(agentId), listBuckets),
  ]
  return () => ends.forEach((end) => end())
}

/** Answers requests on a subject. Failures are logged. */
function handleRequests({ nats, log }: Connection, subject: string, answer: (text: string) => Promise<unknown>) {
  const subscription = nats.subscribe(subject, {
    callback: (_, message) => {
      void answer(message.string())
        .then((response) => message.respond(JSON.stringify(response)))
        .catch((error: unknown) => log.warn({ subject, reason: messageOf(error) }, 'request failed'))
    },
  })
  return () => subscription.unsubscribe()
}

/** Milliseconds that a provider may take to answer; the server waits a little longer. */
const providerTimeoutMs = 18_000

/** Lists the buckets of a store, or returns the reason why it can't be listed. */
export async function listBuckets(text: string): Promise<BucketAnswer> {
  const { type, store } = BucketQuestion.parse(JSON.parse(text))
  const signal = AbortSignal.timeout(providerTimeoutMs)
  try {
    if (type === 'names') return { reason: null, names: await namesOfBuckets(store, signal) }
    await checkStore(store, signal)
    return { reason: null, names: [] }
  } catch (error) {
    return { reason: signal.aborted ? 'The provider did not respond' : messageOf(error), names: [] }
  }
}
