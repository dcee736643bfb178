import { z } from 'zod'
import type { PowerScaleOrder } from '#events/sources/powerScales.ts'
import type { TransportOptions } from '../http/transport.ts'
import { newClient } from './client.ts'
import { encodePath } from './json.ts'
import { checkLicense } from './license.ts'

const anyListing = z.object({ children: z.array(z.unknown()).max(10_000) })

/**
 * Signs in at a cluster and reads a folder, as a scan does, but takes no snapshot. Throws `ScanFailed` with the reason
 * why the folder can't be scanned.
 */
export async function checkFolder(
  source: PowerScaleOrder,
  signal: AbortSignal,
  transport?: TransportOptions,
): Promise<void> {
  const client = newClient(source, transport)
  try {
    await checkLicense(client, signal)
    const call = {
      path: `/namespace${encodePath(source.path)}?limit=1`,
      purpose: `list ${source.path}`,
      privilege: 'ISI_PRIV_NS_IFS_ACCESS',
      read: anyListing,
    }
    await client.patiently(call, signal)
  } finally {
    await client.close()
  }
}
