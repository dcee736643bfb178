import { useEffect, useEffectEvent } from 'react'
import { toast } from '../app/toasts.ts'
import type { Loadable } from '../ui/loadable.ts'

/** Says once that something could not be read, however many fail together; and again when all had recovered. */
export function useOneToast(...remotes: Pick<Loadable<unknown>, 'error'>[]): void {
  const error = remotes.find(({ error }) => error)?.error
  const isFailing = error !== undefined
  const say = useEffectEvent(() => error && toast({ kind: 'danger', message: error.message }))
  useEffect(() => {
    if (isFailing) say()
  }, [isFailing])
}
