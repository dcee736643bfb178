import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Accounts, type Database, databases } from '#events/node/accounts.ts'

const Kept = z.object({
  passwd: z.array(z.tuple([z.number(), z.string()])),
  group: z.array(z.tuple([z.number(), z.string()])),
})

export type KeptNames = { names: Accounts; add(database: Database, id: number, name: string): void; save(): void }

/**
 * Names that the name service returned in earlier scans, in a file of the agent's state folder. They are used while the
 * service doesn't answer. Nothing is kept without a folder, and a file that can't be read or written is ignored.
 */
export function openKeptNames(state: string | undefined): KeptNames {
  const file = state && join(state, 'owner-names.json')
  const names = read(file)
  let hasChanged = false
  return {
    names,
    add(database, id, name) {
      hasChanged ||= names[database].get(id) !== name
      names[database].set(id, name)
    },
    save() {
      if (file && hasChanged) write(file, names)
      hasChanged = false
    },
  }
}

function read(file: string | undefined): Accounts {
  try {
    const kept = Kept.parse(JSON.parse(readFileSync(file ?? '', 'utf8')))
    return { passwd: new Map(kept.passwd), group: new Map(kept.group) }
  } catch {
    return { passwd: new Map(), group: new Map() }
  }
}

function write(file: string, names: Accounts): void {
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    const text = JSON.stringify(Object.fromEntries(databases.map((database) => [database, [...names[database]]])))
    writeFileSync(`${file}.new`, text, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch {
    // The names are looked up again.
  }
}
