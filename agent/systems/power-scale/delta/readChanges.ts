import type { Client } from '../client.ts'
import { Refused } from '../failures.ts'
import { entriesOfPage, isStream, maxChanges } from '../unconfirmed.ts'
import { type Change, changeOf, EntriesPage } from './change.ts'
import { FullScanNeeded, reasons } from './fullScan.ts'

/** All entries of a changelist except alternate data streams. Throws `FullScanNeeded` where it can't be read. */
export async function readChanges(client: Client, id: string, signal: AbortSignal): Promise<Change[]> {
  const address = `/platform/8/snapshot/changelists/${id}/entries`
  const call = { purpose: 'read the list of changes', privilege: 'ISI_PRIV_SNAPSHOT', read: EntriesPage }
  const changes: Change[] = []
  const tokens = new Set<string>()
  try {
    for (let query = `?limit=${entriesOfPage}`; query !== '';) {
      const { entries, resume } = await client.patiently({ ...call, path: address + query }, signal)
      for (const entry of entries) if (!isStream(entry.change_types)) changes.push(changeOf(entry))
      if (changes.length > maxChanges) throw new FullScanNeeded(reasons.tooMany)
      if (resume && tokens.size === tokens.add(resume).size) throw new FullScanNeeded(reasons.noList)
      query = resume ? `?resume=${encodeURIComponent(resume)}` : ''
    }
    return changes
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw new FullScanNeeded(error.status === 404 ? reasons.noList : error.message)
  }
}
