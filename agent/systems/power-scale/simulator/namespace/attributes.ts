import { refused } from '../errors.ts'
import { type Inode, kinds, linOf, linksOf, physicalSizeOf } from '../tree/inodes.ts'
import { type Name, nameOf } from '../tree/names.ts'
import type { Tree } from '../tree/tree.ts'

/** An entry of a listing: one link of an inode, in the directory of this index. */
export type Row = { inode: Inode; name: Name; directory: number }

export type Value = string | number | bigint | boolean
export type Attribute = (row: Row) => Value

type Options = { tree: Tree; blockUnit: number; containerPathOf: (directory: number) => Name }

const httpDate = (seconds: number): string => new Date(seconds * 1_000).toUTCString()

/** Attributes of an entry by their names in `detail`. Text has one character for each byte. */
export function attributesOf({ tree, blockUnit, containerPathOf }: Options) {
  const owners = new Map([...tree.users].map(([id, name]) => [id, nameOf(name)]))
  const groups = new Map([...tree.groups].map(([id, name]) => [id, nameOf(name)]))
  return {
    name: ({ name }) => name,
    type: ({ inode }) => kinds[inode.kind].type,
    size: ({ inode }) => inode.size,
    blocks: ({ inode }) => Math.ceil(physicalSizeOf(inode) / blockUnit),
    block_size: () => 8_192,
    owner: ({ inode: { uid } }) => owners.get(uid) ?? `UID:${uid}`,
    group: ({ inode: { gid } }) => groups.get(gid) ?? `GID:${gid}`,
    uid: ({ inode }) => inode.uid,
    gid: ({ inode }) => inode.gid,
    mode: ({ inode }) => inode.mode.toString(8).padStart(4, '0'),
    id: ({ inode }) => linOf(inode.index),
    nlink: ({ inode }) => (inode.kind === 'directory' ? 2 : linksOf(inode).length),
    is_hidden: ({ name }) => name.startsWith('.'),
    stub: ({ inode }) => inode.rare?.isStub ?? false,
    mtime_val: ({ inode }) => inode.mtime,
    atime_val: ({ inode }) => inode.atime,
    ctime_val: ({ inode }) => inode.ctime,
    btime_val: ({ inode }) => inode.btime,
    container_path: ({ directory }) => containerPathOf(directory),
    last_modified: ({ inode }) => httpDate(inode.mtime),
    access_time: ({ inode }) => httpDate(inode.atime),
    change_time: ({ inode }) => httpDate(inode.ctime),
    create_time: ({ inode }) => httpDate(inode.btime),
  } satisfies Record<string, Attribute> as Record<string, Attribute>
}

const defaultDetail = ['name', 'size', 'owner', 'last_modified', 'type', 'group', 'mode']

/** Returns the names of attributes that `detail` asks for. Without it, only `name`. */
export function detailOf(detail: string | null, attributes: Record<string, Attribute>): string[] {
  if (detail === null) return ['name']
  if (detail === 'default') return defaultDetail
  if (detail === 'yes') return Object.keys(attributes)
  const names = [...new Set(detail.split(','))]
  const unknown = names.find((name) => !Object.hasOwn(attributes, name))
  if (unknown !== undefined) throw refused('AEC_BAD_REQUEST', `Unknown attribute '${unknown}'.`, 'detail')
  return names
}

/** Returns a function that writes these attributes of an entry as JSON. */
export function rowWriter(names: readonly string[], attributes: Record<string, Attribute>): (row: Row) => string {
  const fields = names.map((name, i) => ({ prefix: `${i === 0 ? '{' : ','}"${name}":`, read: attributes[name] }))
  return (row) => {
    let text = ''
    for (const { prefix, read } of fields) {
      const value = read?.(row)
      text += prefix + (typeof value === 'string' ? JSON.stringify(value) : String(value))
    }
    return `${text}}`
  }
}
