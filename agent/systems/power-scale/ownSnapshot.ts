import { ScanFailed } from '../system.ts'
import type { Client } from './client.ts'
import {
  createSnapshot,
  daysOf,
  deleteSnapshot,
  findSnapshot,
  isActive,
  setExpiry,
  type Snapshot,
} from './snapshots.ts'

/** A snapshot that is not kept expires after this many days, should its scan not end. */
const daysOfUnkept = 7

type Options = {
  name: string
  /** Path on the cluster. */
  path: string
  /** True if the snapshot may be kept for the next delta. */
  isKept: boolean
}

/** The snapshot that a scan reads. One that an interrupted attempt of the same scan has made is used again. */
export async function openOwnSnapshot(client: Client, { name, path, isKept }: Options, openSignal: AbortSignal) {
  let own: Snapshot | undefined = await findSnapshot(client, name, openSignal)
  let days = isKept && own ? daysOf(own) : 0
  return {
    /** ID of the snapshot, if it exists. */
    id: (): string | undefined => own && String(own.id),
    /** Days after which it expires; 0 where it is deleted when the scan ends. */
    days: () => days,
    /** Takes the snapshot, and returns its ID. */
    async take(daysKept: number, signal: AbortSignal): Promise<string> {
      days = isKept ? daysKept : 0
      const lasting = days === 0 ? daysOfUnkept : days
      if (own && own.path !== path)
        throw new ScanFailed(`The snapshot ${name} is not one of ${path}. Start the scan again.`)
      if (own) await setExpiry(client, String(own.id), lasting, signal)
      own ??= await createSnapshot(client, { name, path, days: lasting }, signal)
      return String(own.id)
    },
    /** Continues the listing of a snapshot. Throws `ScanFailed` where it is another one now. */
    resume(id: string, daysKept: number): void {
      if (!own || String(own.id) !== id) throw gone(name)
      days = daysKept
    },
    /** Throws `ScanFailed` where the snapshot was deleted: what is missing then was not deleted. */
    async check(signal: AbortSignal): Promise<void> {
      if (!own) return
      const snapshot = await findSnapshot(client, String(own.id), signal)
      if (!snapshot || !isActive(snapshot)) throw gone(name)
    },
    async removeUnlessKept(signal: AbortSignal): Promise<void> {
      if (own && days === 0) await deleteSnapshot(client, String(own.id), signal)
    },
  }
}

const gone = (name: string) => new ScanFailed(`The snapshot ${name} was deleted during the scan. Start the scan again.`)
