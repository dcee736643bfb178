import { readFileSync } from 'node:fs'
import type { OwnerNames } from '#events/scans/blocks/blockWriter.ts'

/** For scans that leave them out. */
export const nobody: OwnerNames = { user: () => '', group: () => '' }

/** Reads the machine's lists once. A number without a name is its own name. */
export const readOwners = (): OwnerNames => ({ user: names('/etc/passwd'), group: names('/etc/group') })

function names(file: string): (id: number) => string {
  const known = new Map<number, string>()
  for (const line of lines(file)) {
    const [name, , id] = line.split(':')
    // The first name of a number counts, as for the system itself.
    if (name && id && /^\d+$/.test(id) && !known.has(Number(id))) known.set(Number(id), name)
  }
  return (id) => known.get(id) ?? String(id)
}

function lines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}
