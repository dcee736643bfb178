import { type Actor, type Trx, appendFact } from './eventLog.ts'

/** What a command changed; without `before` it was made, without `after` it was removed. No secrets in either. */
type Change = { before?: unknown; after?: unknown }

const evolveVersion = 1

/** Appends what a command changed, and who did it, to the stream of the thing: the audit log. */
export async function recordChange(trx: Trx, stream: string, by: Actor, change: Change): Promise<void> {
  const type = change.before === undefined ? 'Created' : change.after === undefined ? 'Removed' : 'Changed'
  await record(trx, stream, by, { type, ...change })
}

/** Appends a fact of its own to the audit log. */
export async function record(trx: Trx, stream: string, by: Actor, fact: { type: string }): Promise<void> {
  await appendFact(trx, stream, by, evolveVersion, { at: new Date().toISOString(), ...fact })
}
