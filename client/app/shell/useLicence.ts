import { useSnapshot } from 'valtio'
import type { Bundle } from '#events/contract/needs.ts'
import { session } from '#client/app/session.state.ts'

/** Returns a function that tells whether a bundle is licensed. What needs no bundle always is. */
export function useLicence(): (bundle: Bundle | undefined) => boolean {
  const { user } = useSnapshot(session)
  return (bundle) => bundle === undefined || !user || user.bundles.includes(bundle)
}
