import type { StreamName } from '#events/streams.ts'
import { type Actor, type Trx, appendFact } from './eventLog.ts'

/** A command's change; without `before` a creation, without `after` a deletion. No secrets in either. */
export type Audit = { before?: unknown; after?: unknown }

const evolveVersion = 1

/** Appends a command's change and its author to the stream of the changed thing: the audit log. */
export async function recordChange(trx: Trx, stream: StreamName, by: Actor, audit: Audit): Promise<void> {
  const type = audit.before === undefined ? 'Created' : audit.after === undefined ? 'Removed' : 'Changed'
  await record(trx, stream, by, { type, ...audit })
}

/** Appends a fact to the audit log. */
export async function record(trx: Trx, stream: StreamName, by: Actor, fact: { type: string }): Promise<void> {
  await appendFact(trx, stream, by, evolveVersion, { at: new Date().toISOString(), ...fact })
}
