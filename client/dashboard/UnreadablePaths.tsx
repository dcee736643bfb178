import { lazy, Suspense, useState } from 'react'
import type { ScanRecord } from '#events/scans.ts'
import { counted } from '../ui/text/count.ts'
import classes from './UnreadablePaths.module.css'

// With all that a dialog needs: the first page does without.
const UnreadableDialog = lazy(() => import('./UnreadableDialog.tsx').then((m) => ({ default: m.UnreadableDialog })))

/** Says that a scan is partial, and opens what it could not read. */
export function UnreadablePaths({ scan }: { scan: ScanRecord }) {
  const [opened, open] = useState<boolean>()
  return (
    <>
      <button type="button" className={classes.open} onClick={() => open(true)}>
        {`Partial: ${counted(scan.unreadable, 'path')} unreadable`}
      </button>
      <Suspense fallback={null}>
        {opened !== undefined && <UnreadableDialog scan={scan} opened={opened} onClose={() => open(false)} />}
      </Suspense>
    </>
  )
}
