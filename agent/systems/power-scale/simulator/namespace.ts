import { z } from 'zod'
import { type Answer, answered, parseJson } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { jsonOfBytes, refused } from './answers.ts'
import type { Cluster } from './cluster.ts'
import { pageAt, placeOf } from './pages.ts'
import type { User } from './sessions.ts'
import { type Inode, kinds, linOf, linksOf } from './tree/inodes.ts'
import { decodedPath, type Name, nameOf, namesOf, textOf } from './tree/names.ts'
import type { Tree } from './tree/tree.ts'
import type { TreeView } from './tree/view.ts'

/** Bytes of the body of a query. */
const maxQueryBytes = 8_192
const optionNames = new Set(['detail', 'limit', 'max-depth', 'resume', 'query'])

/** Answers a request below `/namespace`: a listing of a directory, or a query for some of its entries. */
export function answerNamespace(cluster: Cluster, request: SimulatedRequest, user: User): Answer {
  const path = checkedPath(request, user)
  const { method, query, body } = request
  const names = namesOf(Buffer.from(path, 'latin1'))
  if (names[0] === 'ifs' && names[1] === '.snapshot' && names.length === 2)
    return answered({ children: cluster.snapshots.all().map(({ name }) => ({ name })) })
  const { view, directory, only } = targetOf(cluster, names)
  const place = placeOf(cluster.tokens, { query, list: `${method} ${path} ${body}` }, cluster.switches.resume)
  const requested = method === 'POST' ? namesIn(body) : only === undefined ? undefined : new Set([only])
  const listed = directory.children?.list() ?? []
  const children = requested ? listed.filter(([name]) => requested.has(name)) : listed
  const { page, resume } = pageAt(cluster.tokens, place, children)
  const write = rowWriter(cluster.tree, new URLSearchParams(place.options).get('detail'))
  const rows = page.flatMap(([name, index]) => {
    const inode = view.get(index)
    return inode ? [write({ inode, name })] : []
  })
  return jsonOfBytes(`{"children":[${rows.join(',')}]${resume ? `,"resume":"${resume}"` : ''}}`)
}

/** The decoded path of a request that the API accepts. */
function checkedPath({ method, path, query, body }: SimulatedRequest, user: User): Name {
  if (user.without?.includes('ISI_PRIV_NS_IFS_ACCESS'))
    throw refused('AEC_FORBIDDEN', 'The following privilege is required: ISI_PRIV_NS_IFS_ACCESS')
  for (const name of query.keys())
    if (!optionNames.has(name)) throw refused('AEC_BAD_REQUEST', `Unsupported argument: ${name}`, name)
  if (method !== 'GET' && !(method === 'POST' && query.has('query')))
    throw refused('AEC_METHOD_NOT_ALLOWED', `${method} is not supported.`)
  if (Buffer.byteLength(body) > maxQueryBytes) throw refused('AEC_BAD_REQUEST', 'The body is too large.')
  const decoded = decodedPath(path.slice('namespace'.length))
  if (decoded === undefined) throw refused('AEC_BAD_REQUEST', 'The path is not encoded correctly.')
  return decoded
}

type Target = {
  view: TreeView
  directory: Inode
  /** The only visible child of a directory above the path of a snapshot. */
  only: Name | undefined
}

/** The directory that names from the root lead to, in the live tree or in a snapshot. */
function targetOf({ tree, snapshots }: Cluster, [first, ...names]: Name[]): Target {
  if (first !== 'ifs') throw refused('AEC_NOT_FOUND', `Unable to open the store '${textOf(first ?? '')}'`)
  if (names[0] !== '.snapshot') return inView(tree, names, [])
  const snapshot = snapshots.all().find(({ name }) => nameOf(name) === names[1])
  if (!snapshot) throw notFound(names)
  return inView(snapshot.view, names.slice(2), namesOf(snapshot.path).slice(1))
}

function inView(view: TreeView, names: readonly Name[], root: readonly Name[]): Target {
  const directory = names.some((name, i) => i < root.length && name !== root[i]) ? undefined : view.follow(names)
  if (!directory) throw notFound(names)
  if (directory.kind !== 'directory') throw refused('AEC_METHOD_NOT_ALLOWED', 'The content of files is not simulated.')
  return { view, directory, only: root[names.length] }
}

const notFound = (names: readonly Name[]) =>
  refused('AEC_NOT_FOUND', `Unable to open object '${textOf(names.join('/'))}' in store 'ifs'`)

const Query = z.strictObject({
  scope: z.strictObject({
    logic: z.literal('or'),
    conditions: z
      .array(z.strictObject({ operator: z.literal('='), attr: z.literal('name'), value: z.string() }))
      .min(2),
  }),
})

/** Reads the names in the body of a query. */
function namesIn(body: string): Set<Name> {
  const wrong = (field: string) => refused('AEC_BAD_REQUEST', `Invalid ${field} of the query.`, field)
  return new Set(parseJson(body, Query, wrong).scope.conditions.map(({ value }) => nameOf(value)))
}

/** An entry of a listing: one link of an inode. */
type Row = { inode: Inode; name: Name }

const attributesOf = (owners: ReadonlyMap<number, Name>, groups: ReadonlyMap<number, Name>) => ({
  name: ({ name }: Row) => name,
  type: ({ inode }: Row) => kinds[inode.kind].type,
  size: ({ inode }: Row) => inode.size,
  owner: ({ inode: { uid } }: Row) => owners.get(uid) ?? `UID:${uid}`,
  group: ({ inode: { gid } }: Row) => groups.get(gid) ?? `GID:${gid}`,
  uid: ({ inode }: Row) => inode.uid,
  gid: ({ inode }: Row) => inode.gid,
  mode: ({ inode }: Row) => inode.mode.toString(8).padStart(4, '0'),
  id: ({ inode }: Row) => linOf(inode.index),
  nlink: ({ inode }: Row) => (inode.kind === 'directory' ? 2 : linksOf(inode).length),
  mtime_val: ({ inode }: Row) => inode.mtime,
  atime_val: ({ inode }: Row) => inode.atime,
  btime_val: ({ inode }: Row) => inode.btime,
})

/** Returns a function that writes the attributes of an entry that `detail` names; without it, only the name. */
function rowWriter({ users, groups }: Tree, detail: string | null): (row: Row) => string {
  const inBytes = (names: Map<number, string>) => new Map([...names].map(([id, name]) => [id, nameOf(name)] as const))
  const attributes: Record<string, (row: Row) => string | number | bigint> = attributesOf(
    inBytes(users),
    inBytes(groups),
  )
  const fields = (detail ?? 'name').split(',').map((name, i) => {
    const read = attributes[name]
    if (!read) throw refused('AEC_BAD_REQUEST', `Unknown attribute '${name}'.`, 'detail')
    return { prefix: `${i === 0 ? '{' : ','}"${name}":`, read }
  })
  return (row) => {
    let text = ''
    for (const { prefix, read } of fields) {
      const value = read(row)
      text += prefix + (typeof value === 'string' ? JSON.stringify(value) : String(value))
    }
    return `${text}}`
  }
}
