import { configurations } from '#events/configurations.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Warning } from '#client/ui/feedback/Warning.tsx'

/** Whether all policies are paused, undefined until it is known, and a function that pauses or resumes them. */
export function usePaused() {
  const entries = useRemote(configurations.list, {}, 'configurations')
  const [busy, pause] = useBusy(async (isPaused: boolean) => {
    await call(configurations.update, { body: [{ name: 'policiesPaused', value: String(isPaused) }] })
    entries.retry()
    toast({ kind: 'success', message: isPaused ? 'All policies are paused' : 'Policies were resumed' })
  })
  const value = entries.data?.find(({ name }) => name === 'policiesPaused')?.value
  return { isPaused: value === undefined ? undefined : value === 'true', busy, pause }
}

/** A warning while all policies are paused. */
export const AllPaused = ({ isPaused }: { isPaused: boolean | undefined }) =>
  isPaused && <Warning>All policies are paused. No run starts until you resume them.</Warning>
