import type { PowerScaleOrder } from '#events/sources/powerScales.ts'
import { type OpenedSystem, ScanFailed } from '../system.ts'

/** Opens a folder of a Dell PowerScale cluster. Throws the reason why it can't be scanned. */
export async function openPowerScale({ host }: PowerScaleOrder, _: { signal: AbortSignal }): Promise<OpenedSystem> {
  throw new ScanFailed(`${host} can't be scanned by this version`)
}
