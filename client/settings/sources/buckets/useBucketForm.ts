import { CallError } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import type { FormState } from '#client/app/useSavedForm.ts'
import type { BucketFields } from './bucketForm.ts'

export type BucketForm = FormState<BucketFields>

/** Recognizes the error for a saved bucket that can't be listed, and shows it as a warning; the form may close then. */
export function toldAsWarning(error: unknown): boolean {
  const isWritten = error instanceof CallError && /^bucket-(created|updated)$/.test(error.code ?? '')
  if (isWritten) toast({ kind: 'warning', message: error.message })
  return isWritten
}
