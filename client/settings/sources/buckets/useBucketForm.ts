import { useSourceForm } from '../useSourceForm.ts'
import { type BucketFields, bucketErrors as check, labels, shownAt } from './bucketFields.ts'
import { CallError } from '#client/app/call.ts'
import { toast } from '#client/app/toasts.ts'

/** The form of a bucket. */
export const useBucketForm = (initialValues: BucketFields) => useSourceForm(initialValues, { check, shownAt, labels })
export type BucketForm = ReturnType<typeof useBucketForm>['form']

/** Whether a bucket was written although it cannot be listed: that is told as a warning, and the form may close. */
export function toldAsWarning(error: unknown): boolean {
  const isWritten = error instanceof CallError && /^bucket-(created|updated)$/.test(error.code ?? '')
  if (isWritten) toast({ kind: 'warning', message: error.message })
  return isWritten
}
