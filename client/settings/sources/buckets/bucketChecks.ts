import { bucketCheck } from '#events/sources/bucketQuestion.ts'
import { factsOf } from '#events/sources/buckets.ts'
import type { SourceField } from '#events/sources/sourceField.ts'
import { call } from '#client/app/call.ts'
import type { Connection, Problems } from '#client/parts/settings-table/connectionCheck.ts'
import { type BucketFields, bucketForm } from './bucketForm.ts'

/** The part of a bucket that the check needs. Without `name` and `path`, only the sign-in is checked. */
function checkedPart(fields: BucketFields) {
  const { type, awsCredentialsId, region, namespace, name, path, ...draft } = bucketForm.toDraft(fields, 'new')
  const { prefix, inventory, requesterPays, teamSpace } = draft
  return { type, awsCredentialsId, region, namespace, name, path, prefix, inventory, requesterPays, teamSpace }
}

const signInPart = (fields: BucketFields) =>
  checkedPart({ ...fields, name: '', path: '', prefix: '', inventory: '', requesterPays: false, teamSpace: false })

/** The input that is wrong. The host of a store depends on its region, or is part of its credentials. */
function inputOf(field: SourceField | null, { type }: BucketFields, otherwise: string): string {
  if (field !== 'host' && field !== 'region') return field ?? otherwise
  return factsOf(type).hasRegion ? 'region' : 'credentials'
}

async function problemsOf(fields: BucketFields, part: typeof checkedPart, otherwise: string): Promise<Problems> {
  const { reason, field } = await call(bucketCheck, { body: part(fields) })
  return reason === null ? {} : { [inputOf(field, fields, otherwise)]: reason }
}

/** Has the agent sign in with the credentials of a bucket at its provider. */
export const signInConnection: Connection<BucketFields> = {
  keyOf: signInPart,
  check: (fields) => problemsOf(fields, signInPart, 'credentials'),
}

/** Has the agent list a bucket, or a folder of Dropbox. */
export const accessConnection: Connection<BucketFields> = {
  keyOf: checkedPart,
  check: (fields) => problemsOf(fields, checkedPart, factsOf(fields.type).hasPath ? 'path' : 'name'),
}
