import { builtInAgent } from '#events/agents.ts'
import type { ObjectStore } from '#events/scans/order.ts'
import { BucketAnswer } from '#events/sources/bucketQuestion.ts'
import { factsOf } from '#events/sources/buckets.ts'
import { subjects } from '#events/subjects.ts'
import { askAgent } from '#server/platform/nats/askAgent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { signInOf, storeOf } from './storeOf.ts'

type Words = Pick<Platform, 'db' | 'config' | 'nats'>

/** How long an agent may take over an answer: a provider may be slow in refusing. */
const answerWithinMs = 20_000

/** Undefined when the agent does not answer. */
const askAbout = ({ nats }: Words, store: ObjectStore): Promise<BucketAnswer | undefined> =>
  askAgent(nats, subjects.bucket(builtInAgent), store, { answer: BucketAnswer, timeoutMs: answerWithinMs })

type Names = { credentialsId: number; region: string; namespace: string }

/** The names of the buckets that credentials may list; Dropbox has none. Throws 502 with what the provider said. */
export async function listBucketNames(platform: Words, { credentialsId, ...place }: Names): Promise<string[]> {
  const signIn = await signInOf(platform, credentialsId)
  if (factsOf(signIn.type).hasPath) return []
  const answer = await askAbout(platform, { ...signIn, ...place, bucket: '', path: '' })
  if (!answer) throw new Problem(503, 'The agent does not answer')
  if (answer.reason !== null) throw new Problem(502, answer.reason, { code: 'provider' })
  return answer.names
}

/** Throws 422 where a bucket that was just written cannot be listed; one whose agent is away is found out by its scan. */
export async function checkListed(platform: Words, volumeId: number, written: 'created' | 'updated'): Promise<void> {
  const store = await storeOf(platform, volumeId)
  const answer = store && (await askAbout(platform, store))
  if (!answer || answer.reason === null) return
  throw new Problem(422, `Bucket ${written}, but it cannot be scanned: ${answer.reason}`, { code: `bucket-${written}` })
}
