import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { OwnerNames } from '#events/scans/blocks/blockWriter.ts'

/** `key` is another one when any number has another name. */
export type Owners = OwnerNames & { key: string }

/** For scans that leave them out. */
export const nobody: Owners = { user: () => '', group: () => '', key: '' }

/** Reads the machine's lists once. A number without a name is its own name. */
export function readOwners(): Owners {
  const [users, groups] = [numbersOf('/etc/passwd'), numbersOf('/etc/group')]
  const key = createHash('sha256')
    .update(JSON.stringify([[...users], [...groups]]))
    .digest('base64')
  return { user: nameIn(users), group: nameIn(groups), key }
}

const nameIn =
  (known: Map<number, string>) =>
  (id: number): string =>
    known.get(id) ?? String(id)

function numbersOf(file: string): Map<number, string> {
  const known = new Map<number, string>()
  for (const line of lines(file)) {
    const [name, , id] = line.split(':')
    // The first name of a number counts, as for the system itself.
    if (name && id && /^\d+$/.test(id) && !known.has(Number(id))) known.set(Number(id), name)
  }
  return known
}

function lines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}
