import { builtInAgent } from '#events/agents.ts'
import { BucketAnswer, type BucketOfSource, type BucketQuestion } from '#events/sources/bucketQuestion.ts'
import type { ConnectionCheck } from '#events/sources/sourceField.ts'
import { subjects } from '#events/subjects.ts'
import { askAgent } from '#server/platform/nats/askAgent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { silentAgent } from '../silentAgent.ts'
import { nameOf, splitName } from './bucket.ts'
import { storeAt, storeOf } from './storeOf.ts'

export type Services = Pick<Platform, 'db' | 'config' | 'nats'>

/** Milliseconds until a request to an agent times out: a provider may be slow to refuse. */
const answerWithinMs = 20_000

/** Undefined if the agent does not respond. */
export const askAbout = ({ nats }: Services, question: BucketQuestion): Promise<BucketAnswer | undefined> =>
  askAgent(nats, subjects.bucket(builtInAgent), question, { answer: BucketAnswer, timeoutMs: answerWithinMs })

type Names = { credentialsId: number; region: string; namespace: string }

/**
 * Names of the buckets that credentials may list; Dropbox has no buckets. Throws 502 with the error of the provider.
 */
export async function listBucketNames(platform: Services, { credentialsId, ...place }: Names): Promise<string[]> {
  const store = await storeAt(platform, credentialsId, { ...place, bucket: '', path: '' })
  if (store.type === 'DROPBOX') return []
  const answer = await askAbout(platform, { type: 'names', store })
  if (!answer) throw new Problem(503, 'The agent does not answer')
  if (answer.reason !== null) throw new Problem(502, answer.reason, { code: 'provider' })
  return answer.names
}

/**
 * Signs in at the provider of a bucket that is not saved yet, and lists the bucket if it has a name or a path. Keys that
 * may not list all buckets are fine. Throws as `storeAt` does.
 */
export async function checkBucket(platform: Services, draft: BucketOfSource): Promise<ConnectionCheck> {
  const { type, awsCredentialsId, region, path, inventory, prefix, ...options } = draft
  const isSignIn = draft.name === '' && path === ''
  const { namespace, bucket } = splitName(type, nameOf(draft))
  const store = await storeAt(platform, awsCredentialsId, {
    bucket,
    namespace: namespace || draft.namespace,
    region,
    path: path || '/',
    ...(inventory !== '' && { inventory }),
    ...(prefix !== '' && { prefix }),
    ...(options.requesterPays && { requesterPays: true }),
    ...(options.teamSpace && { teamSpace: true }),
  })
  // Dropbox has no buckets to list: reading its root needs the sign-in alone.
  const question = { type: isSignIn && store.type !== 'DROPBOX' ? 'names' : 'access', store } as const
  const answer = await askAbout(platform, question)
  if (!answer) return silentAgent
  if (isSignIn && answer.isDenied) return { reason: null, field: null }
  return { reason: answer.reason, field: answer.field }
}

/**
 * Throws 422 if a bucket that was just saved can't be listed. Does not check while its agent is offline; then its scan
 * fails.
 */
export async function checkListed(platform: Services, volumeId: number, written: 'created' | 'updated'): Promise<void> {
  const answer = await askAbout(platform, { type: 'access', store: await storeOf(platform, volumeId) })
  if (!answer || answer.reason === null) return
  throw new Problem(422, `Bucket ${written}, but it cannot be scanned: ${answer.reason}`, { code: `bucket-${written}` })
}
