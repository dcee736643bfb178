import { Link } from 'wouter'
import type { Call, Endpoint } from '#events/contract/endpoint.ts'
import { scanPaths } from '#events/scans/calls.ts'
import { sources } from '#events/sources/kinds.ts'
import { call } from '#client/app/call.ts'
import { linksAt } from '#client/app/links.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { sourceCalls } from './sourceCalls.ts'
import { effectiveOptions, type ScanOptions } from './scanOptions.ts'
import type { ScanKind } from './useSources.ts'

type ScanRequest = ScanOptions & {
  kind: ScanKind
  /** Ids in the calls of the kind; for any kind, those of the storages. */
  ids: number[]
  /** The folders that scans of some storages are limited to, by the ids of the storages. */
  folders?: Readonly<Record<string, string>>
}

/** Starts the scan of sources and shows a message with a link to follow it. */
export async function startScan({ kind, ids, folders = {}, ...options }: ScanRequest): Promise<void> {
  const { cloneIndex, isDeltaScan } = effectiveOptions(options, canScanDelta(kind))
  const query = { cloneIndex: String(cloneIndex), ...(canScanDelta(kind) && { isDeltaScan: String(isDeltaScan) }) }
  const calls = kind === 'any' ? undefined : sourceCalls[kind]
  if (!calls || ids.some((id) => folders[id] !== undefined)) {
    const storageIdToPath = Object.fromEntries(ids.map((id) => [id, folders[id] ?? '']))
    await call(scanPaths, { query, body: { storageIdToPath } })
  } else await call(calls.scan, { query, body: ids } as Call<Endpoint>)
  showStarted()
}

/** True if some of the sources support delta scans. */
export const canScanDelta = (kind: ScanKind): boolean => kind === 'any' || sources[kind].hasDelta

function showStarted(): void {
  toast({
    kind: 'success',
    message: (
      <>
        Scanner for the job(s) is now running. You can monitor the job(s) by clicking{' '}
        <Link href={linksAt().jobs()}>here</Link>
      </>
    ),
  })
}
