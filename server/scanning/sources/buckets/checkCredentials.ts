import type { BucketCredentialOfSource } from '#events/sources/bucketQuestion.ts'
import type { BucketCredentialDraft, BucketType } from '#events/sources/buckets.ts'
import type { ConnectionCheck } from '#events/sources/sourceField.ts'
import { enterAgain, isElsewhere } from '#server/platform/crud/boundSecrets.ts'
import { silentAgent } from '../silentAgent.ts'
import { askAbout, type Services } from './askProvider.ts'
import { openKeys, storeWith } from './storeOf.ts'

type Keys = Record<'accessKey' | 'privateKey' | 'sessionToken', string>

/** Types that sign in without the region or the namespace of a bucket. The codes of Dropbox are valid once. */
const checkable: readonly BucketType[] = ['S3', 'WASABI', 'AZURE', 'OTHER']

/** Amazon and Wasabi know all of their keys here; a Custom S3 has no other region. */
const region = 'us-east-1'

/**
 * Has the agent sign in with credentials that are not saved yet. Stored keys only go to their stored address. Keys that may not list buckets are fine. Throws 404
 * without the stored ones, and 409 if those were encrypted with a different server key.
 */
export async function checkCredentials(
  platform: Services,
  { id, draft }: BucketCredentialOfSource,
): Promise<ConnectionCheck> {
  if (!checkable.includes(draft.type)) return { reason: null, field: null }
  const areKept = draft.accessKey === null || draft.privateKey === null
  const stored = areKept && id !== null ? await openKeys(platform, id) : undefined
  if (stored && isElsewhere({ type: stored.type, url: stored.url }, { type: draft.type, url: draft.url }))
    return { reason: `The key ${enterAgain}`, field: 'credentials' }
  const keys = keysOf(draft, stored ?? noKeys)
  const store = storeWith(platform.config, keys, { bucket: '', path: '', namespace: '', region })
  const answer = await askAbout(platform, { type: 'names', store })
  if (!answer) return silentAgent
  return answer.isDenied ? { reason: null, field: null } : { reason: answer.reason, field: answer.field }
}

const noKeys: Keys = { accessKey: '', privateKey: '', sessionToken: '' }

/** The sign-in of a draft, with stored keys for those that are null. */
const keysOf = ({ type, signIn, url, accessKey, privateKey, sessionToken }: BucketCredentialDraft, stored: Keys) => ({
  type,
  signIn,
  url,
  accessKey: accessKey ?? stored.accessKey,
  privateKey: privateKey ?? stored.privateKey,
  // A token belongs to its keys: new keys without one have none.
  sessionToken: sessionToken ?? (accessKey === null ? stored.sessionToken : ''),
})
