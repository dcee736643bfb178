import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { shellDialogs } from './shellDialogs.state.ts'
import { useEverOpen } from './useEverOpen.ts'

const Palette = lazy(() => import('./Palette.tsx').then((m) => ({ default: m.Palette })))
const KeysDialog = lazy(() => import('./KeysDialog.tsx').then((m) => ({ default: m.KeysDialog })))

/** The palette and the list of keys; each is loaded when it is wanted for the first time. */
export function ShellDialogs() {
  const { open } = useSnapshot(shellDialogs)
  const hadPalette = useEverOpen(open === 'palette')
  const hadKeys = useEverOpen(open === 'keys')
  return (
    <Suspense fallback={null}>
      {hadPalette && <Palette />}
      {hadKeys && <KeysDialog />}
    </Suspense>
  )
}
