import { z } from 'zod'
import type { Client } from '../client.ts'
import { Refused } from '../failures.ts'
import { encodePath } from '../json.ts'
import { pathInSnapshot } from '../snapshots.ts'
import { atLeastTwo, isResumeRefused } from '../unconfirmed.ts'
import { Child, childAttributes } from './namespaceEntry.ts'

export type DirectoryPage = { children: Child[]; resume: string | undefined }

/** The listing of a directory can't be continued: its token is not known any more. */
export class ListingExpired extends Error {}

const pageSize = 1_000
const Listed = z.object({
  children: z.array(Child).max(10 * pageSize),
  resume: z.string().nullish(),
})
const privilege = 'ISI_PRIV_NS_IFS_ACCESS'

/** Directories as a snapshot has them, by paths such as '/ifs/data'. The path '' holds the snapshot of '/ifs' itself, by its own name. */
export function newDirectories(client: Client, snapshot: string) {
  /** Some releases refuse a token next to the options that it was made with. */
  let isResumeAlone = false
  const options = `detail=${childAttributes}&limit=${pageSize}`
  const addressOf = (path: string) =>
    `/namespace${path === '' ? '/ifs/.snapshot' : encodePath(pathInSnapshot(snapshot, path))}`

  const listFrom = async (path: string, query: string, signal: AbortSignal): Promise<DirectoryPage> => {
    const call = { path: `${addressOf(path)}?${query}`, purpose: `list ${path}`, privilege, read: Listed }
    const { children, resume } = await client.call(call, signal)
    return { children, resume: resume || undefined }
  }

  /** The page of a directory after `resume`. Throws `ListingExpired`, and what a call throws. */
  const list = async (path: string, resume: string | undefined, signal: AbortSignal): Promise<DirectoryPage> => {
    if (resume === undefined) return listFrom(path, options, signal)
    const token = `resume=${encodeURIComponent(resume)}`
    for (const style of isResumeAlone ? [token] : [`${options}&${token}`, token]) {
      try {
        const page = await listFrom(path, style, signal)
        isResumeAlone = style === token
        return page
      } catch (error) {
        if (!(error instanceof Refused) || !isResumeRefused(error.status)) throw error
      }
    }
    throw new ListingExpired()
  }

  const query = async (path: string, names: string[], signal: AbortSignal): Promise<Child[]> => {
    const conditions = names.map((value) => ({ operator: '=', attr: 'name', value }))
    const body = { scope: { logic: 'or', conditions: atLeastTwo(conditions) } }
    const address = `${addressOf(path)}?query&detail=${childAttributes}&limit=${pageSize}&max-depth=0`
    const purpose = `look up entries of ${path}`
    const call = { method: 'POST', path: address, body, purpose, privilege, read: Listed } as const
    return (await client.patiently(call, signal)).children
  }

  return {
    list,
    /** Children of a directory by their names, as many as fit into a query. */
    query,
    /** The directory that lists a path, and the name by which it does. */
    placeOf(path: string): { directory: string; name: string } {
      if (path === '/ifs') return { directory: '', name: snapshot }
      const nameAt = path.lastIndexOf('/') + 1
      return { directory: path.slice(0, nameAt - 1), name: path.slice(nameAt) }
    },
  }
}
export type Directories = ReturnType<typeof newDirectories>
