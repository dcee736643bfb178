import { execFileSync } from 'node:child_process'

/** What `find` says of an entry. Paths are of bytes, one a character, and relative to the root, whose own is empty. */
export type FoundByFind = {
  path: string
  kind: string
  size: string
  allocated: number
  links: string
  inode: string
  device: string
  user: string
  group: string
  mode: string
  modified: string
  accessed: string
  target: string
}

const format = ['P', 'y', 's', 'b', 'n', 'i', 'D', 'u', 'g', 'm', 'T@', 'A@', 'l'].map((word) => `%${word}\\0`).join('')

/** Lists a folder by another program than ours. */
export function find(root: string, ...conditions: string[]): FoundByFind[] {
  const out = execFileSync('find', [root, ...conditions, '-printf', format], { maxBuffer: 1024 ** 3 })
  const fields = out.toString('latin1').split('\0')
  const found: FoundByFind[] = []
  for (let i = 0; i + 13 <= fields.length; i += 13) {
    const [path = '', kind = '', size = '', blocks = '', links = '', inode = '', device = '', ...more] = fields.slice(
      i,
      i + 13,
    )
    const [user = '', group = '', mode = '', modified = '', accessed = '', target = ''] = more
    const allocated = Number(blocks) * 512
    const times = { modified: seconds(modified), accessed: seconds(accessed) }
    found.push({ path, kind, size, allocated, links, inode, device, user, group, mode, target, ...times })
  }
  return found
}

/** Whole seconds; find writes the fraction after a point. */
const seconds = (text: string) => text.split('.')[0] ?? ''

/** Files, folders and bytes of files. */
export function totalsOfFind(found: FoundByFind[]) {
  const files = found.filter(({ kind }) => kind !== 'd')
  return {
    files: files.length,
    folders: found.length - files.length,
    bytes: files.reduce((sum, { size }) => sum + Number(size), 0),
  }
}
