import { useEffect } from 'react'
import { toast } from './toasts.ts'

/** Says a failure once, for so many milliseconds. */
export function useFailureToast(error: Error | undefined, milliseconds?: number): void {
  useEffect(() => {
    if (error) toast({ kind: 'danger', message: error.message }, milliseconds)
  }, [error, milliseconds])
}
