import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { textOf } from './textOf.ts'

/** Databases of the name service: users and groups. */
export type Database = 'passwd' | 'group'
export const databases = ['passwd', 'group'] as const

/** Names by number. */
export type Names = Map<number, string>
export type Accounts = Record<Database, Names>

/** Milliseconds for the list of all accounts, and for one of them. */
const listTimeoutMs = 5_000
const lookupTimeoutMs = 2_000
const maxListBytes = 64 * 1024 * 1024

/**
 * The accounts that the name service lists, in its order: files, and others such as extrausers, SSSD or LDAP. Services
 * may not list all they know; `lookUpName` finds the others. Where there is no `getent`, the files of the machine count.
 */
export async function listAccounts(): Promise<Accounts> {
  const lists = databases.map(async (database) => {
    const output = await promisify(execFile)('getent', [database], { timeout: listTimeoutMs, maxBuffer: maxListBytes })
      .then(({ stdout }) => stdout)
      .catch(() => '')
    return namesIn(output, namesInFile(database))
  })
  const [passwd, group] = (await Promise.all(lists)) as [Names, Names]
  return { passwd, group }
}

/** The accounts in the files of the machine, without its name service. */
export const accountsInFiles = (): Accounts => ({ passwd: namesInFile('passwd'), group: namesInFile('group') })

/** Result of a lookup: a name, `none` if the number has none, or `failed` if the name service didn't answer. */
export type Lookup = { name: string } | 'none' | 'failed'

/** Exit codes of `getent`: 0, and 2 for a key that isn't found. */
const notFound = 2

/** Asks the name service for one number; waits for it. */
export function lookUpName(database: Database, id: number): Lookup {
  const { status, stdout, error } = spawnSync('getent', [database, String(id)], {
    encoding: 'utf8',
    timeout: lookupTimeoutMs,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  // A machine without this program has no name service.
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT' || status === notFound) return 'none'
  const name = status === 0 ? namesIn(stdout).get(id) : undefined
  return name === undefined ? 'failed' : { name }
}

const namesInFile = (database: Database): Names => namesIn(textOf(`/etc/${database}`))

/** Adds the names in lines `name:password:number:…`. The first name of a number counts, as for the system itself. */
function namesIn(text: string, more: Names = new Map()): Names {
  const names: Names = new Map()
  for (const line of text.split('\n')) {
    const [name, , id] = line.split(':')
    if (name && id && /^\d+$/.test(id) && !names.has(Number(id))) names.set(Number(id), name)
  }
  for (const [id, name] of more) if (!names.has(id)) names.set(id, name)
  return names
}
