import { createHash } from 'node:crypto'
import { accountsInFiles, type Accounts, type Database, type Lookup, lookUpName } from '#events/node/accounts.ts'
import type { OwnerNames } from '#events/node/blocks/blockWriter.ts'

/**
 * Names of users and groups. `key` changes if a listed number gets another name. `lookedUp` returns the name of a number
 * that isn't listed, which the digest of a folder has to contain; '' for others.
 */
export type Owners = OwnerNames & { key: string; lookedUp(database: Database, id: number): string }

/** For scans that leave them out. */
export const nobody: Owners = { user: () => '', group: () => '', key: '', lookedUp: () => '' }

/** `known` has names from earlier scans, for when the name service doesn't answer; `found` receives new ones. */
type Options = {
  known?: Accounts | undefined
  found?: (database: Database, id: number, name: string) => void
  lookUp?: (database: Database, id: number) => Lookup
  nowMs?: () => number
}

/** After a lookup that failed, the name service rests, and a scan waits for lookups no longer than this. */
const restMs = 60_000
const maxTotalMs = 120_000

/** A number without a name is its own name. */
export function ownersOf(listed: Accounts, options: Options = {}): Owners {
  const { known, found, lookUp = lookUpName, nowMs = () => performance.now() } = options
  const key = createHash('sha256')
    .update(JSON.stringify([[...listed.passwd], [...listed.group]]))
    .digest('base64')
  const asked = { passwd: new Map<number, string>(), group: new Map<number, string>() }
  let restsUntilMs = 0
  let totalMs = 0
  const lookedUp = (database: Database, id: number): string => {
    if (listed[database].has(id)) return ''
    const before = asked[database].get(id)
    if (before !== undefined) return before
    const startMs = nowMs()
    const kept = known?.[database].get(id) ?? ''
    if (startMs < restsUntilMs || totalMs > maxTotalMs) return kept
    const result = lookUp(database, id)
    totalMs += nowMs() - startMs
    if (result === 'failed') {
      restsUntilMs = nowMs() + restMs
      return kept
    }
    const name = result === 'none' ? '' : result.name
    asked[database].set(id, name)
    if (name !== '') found?.(database, id, name)
    return name
  }
  const nameIn = (database: Database) => (id: number) =>
    listed[database].get(id) ?? (lookedUp(database, id) || String(id))
  return { user: nameIn('passwd'), group: nameIn('group'), key, lookedUp }
}

/** Names in the files of the machine, without its name service. */
export const ownersInFiles = (): Owners => ownersOf(accountsInFiles(), { lookUp: () => 'none' })
