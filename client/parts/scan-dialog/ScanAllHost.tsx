import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { PartBoundary } from '#client/app/PartBoundary.tsx'
import { closeShellDialog, shellDialogs } from '#client/app/shell/shellDialogs.state.ts'
import { useEverOpen } from '#client/ui/useEverOpen.ts'

const ScanDialog = lazy(() => import('./ScanDialog.tsx').then((m) => ({ default: m.ScanDialog })))

/** Scan of all storages, opened by the palette on any screen. It is loaded on first use. */
export function ScanAllHost() {
  const { open } = useSnapshot(shellDialogs)
  const hadScan = useEverOpen(open === 'scan')
  return (
    <PartBoundary>
      <Suspense fallback={null}>
        {hadScan && <ScanDialog opened={open === 'scan'} kind="any" selected="all" onClose={closeShellDialog} />}
      </Suspense>
    </PartBoundary>
  )
}
