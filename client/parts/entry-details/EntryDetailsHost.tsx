import { lazy, Suspense, useState } from 'react'
import { useSnapshot } from 'valtio'
import { details } from './entryDetails.state.ts'

const EntryDetails = lazy(() => import('./EntryDetails.tsx').then((m) => ({ default: m.EntryDetails })))

/** Mounts the details. Their chunk is loaded on first use. */
export function EntryDetailsHost() {
  const isOpen = useSnapshot(details).entry !== undefined
  const [wasOpen, note] = useState(isOpen)
  if (isOpen && !wasOpen) note(true)
  return wasOpen ? (
    <Suspense fallback={null}>
      <EntryDetails />
    </Suspense>
  ) : null
}
