import { useSourceForm } from '../useSourceForm.ts'
import { type BucketFields, bucketErrors as check, labels, shownAt } from './bucketFields.ts'
import { CallError } from '#client/app/call.ts'
import { toast } from '#client/app/toasts.ts'

export const useBucketForm = (initialValues: BucketFields) => useSourceForm(initialValues, { check, shownAt, labels })
export type BucketForm = ReturnType<typeof useBucketForm>['form']

/** Recognizes the error for a saved bucket that can't be listed, and shows it as a warning; the form may close then. */
export function toldAsWarning(error: unknown): boolean {
  const isWritten = error instanceof CallError && /^bucket-(created|updated)$/.test(error.code ?? '')
  if (isWritten) toast({ kind: 'warning', message: error.message })
  return isWritten
}
