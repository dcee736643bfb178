import { Button } from '@mantine/core'
import type { StorageState } from '#events/overview/storageStates.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { useStorageStates } from '#client/app/storageStates.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { volumeName } from './volumeWords.ts'

/** Scans a storage, or scans it again after a failure. Hidden while it is being scanned, and without the permission. */
export function ScanNow({ state, tabIndex }: { state: StorageState; tabIndex?: number }) {
  const { volumeId, lastScan, isScanning } = state
  const { retry } = useStorageStates()
  const [busy, start] = useBusy(async () => {
    // Loaded on use, since it includes the calls of all kinds of storages.
    const { startScan } = await import('#client/parts/scan-dialog/startScan.tsx')
    await startScan({ kind: 'any', ids: [volumeId], cloneIndex: true, isDeltaScan: false })
    retry()
  })
  if (isScanning) return null
  const verb = lastScan ? 'Retry' : 'Scan now'
  return (
    <RoleGuard needs="scans.start">
      <Button
        variant="default"
        size="compact-sm"
        loading={busy}
        {...(tabIndex !== undefined && { tabIndex })}
        aria-label={`${verb}: ${volumeName(state)}`}
        onClick={() => start()}
      >
        {verb}
      </Button>
    </RoleGuard>
  )
}
