import { z } from 'zod'
import { ScanFailed } from '../system.ts'
import type { Client } from './client.ts'
import { NoAccount, NotGranted } from './failures.ts'

/** Accounts of a call, as Dropbox limits it. */
const ofCall = 300

const Accounts = z
  .array(
    z.object({ account_id: z.string(), name: z.object({ display_name: z.string() }), email: z.string().optional() }),
  )
  .max(ofCall)

/**
 * Names of accounts by their ids, such as `dbid:AAH4f99…`. Each id is requested once. An account that Dropbox does not know keeps its id,
 * as all do without the right `sharing.read`, which the first call shows.
 */
export function newOwnerNames(client: Client) {
  const names = new Map<string, string>()
  let isGranted = true

  async function read(ids: readonly string[], signal: AbortSignal): Promise<void> {
    try {
      const accounts = await client.call('users/get_account_batch', { account_ids: ids }, { read: Accounts, signal })
      for (const { account_id: id, name } of accounts) names.set(id, name.display_name || id)
    } catch (error) {
      if (error instanceof NotGranted) isGranted = false
      else if (error instanceof NoAccount && ids.length > 1) {
        // One unknown account fails the whole call.
        const half = Math.ceil(ids.length / 2)
        await read(ids.slice(0, half), signal)
        await read(ids.slice(half), signal)
      } else if (!(error instanceof ScanFailed)) throw error
    }
    for (const id of ids) if (!names.has(id)) names.set(id, id)
  }

  return {
    /** Reads the names of these accounts. Throws `StoreBusy`. */
    async resolve(ids: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
      const unknown = [...ids].filter((id) => !names.has(id))
      for (let from = 0; isGranted && from < unknown.length; from += ofCall)
        await read(unknown.slice(from, from + ofCall), signal)
    },
    nameOf: (id: string): string => names.get(id) ?? id,
    /** False if the sign-in was made before names were read. */
    isGranted: () => isGranted,
  }
}
export type OwnerNames = ReturnType<typeof newOwnerNames>
