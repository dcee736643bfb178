import { readFileSync } from 'node:fs'

/** The names of users and groups by their numbers; a number without a name is its own name. */
export type Owners = { user: (id: number) => string; group: (id: number) => string }

/** For scans that leave them out. */
export const nobody: Owners = { user: () => '', group: () => '' }

/** Reads the machine's lists once. */
export const readOwners = (): Owners => ({ user: names('/etc/passwd'), group: names('/etc/group') })

function names(file: string): (id: number) => string {
  const known = new Map<number, string>()
  for (const line of lines(file)) {
    const [name, , id] = line.split(':')
    // The first name of a number counts, as for the system itself.
    if (name && id && /^\d+$/.test(id) && !known.has(Number(id))) known.set(Number(id), name)
  }
  return (id) => {
    const name = known.get(id) ?? String(id)
    known.set(id, name)
    return name
  }
}

function lines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}
