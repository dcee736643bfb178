import { bucketCheck } from '#events/sources/bucketQuestion.ts'
import { factsOf } from '#events/sources/buckets.ts'
import type { SourceField } from '#events/sources/sourceField.ts'
import { call } from '#client/app/call.ts'
import { type Problems, useConnectionCheck } from '#client/parts/settings-table/connectionCheck.ts'
import { type BucketFields, bucketForm } from './bucketForm.ts'
import type { BucketForm } from './useBucketForm.ts'

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

/** Checks if the credentials of a bucket may sign in at its provider. */
export const useSignInProblems = (form: BucketForm) =>
  useConnectionCheck({
    form,
    keyOf: signInPart,
    check: (fields) => problemsOf(fields, signInPart, 'credentials'),
  })

/** Checks if a bucket, or a folder of Dropbox, can be listed. */
export const useAccessProblems = (form: BucketForm) =>
  useConnectionCheck({
    form,
    keyOf: checkedPart,
    check: (fields) => problemsOf(fields, checkedPart, factsOf(fields.type).hasPath ? 'path' : 'name'),
  })
