import { readFileSync } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { nameFromBytes } from '#events/contract/fileNames.ts'

/**
 * A mounted file system. `id` differs for each mount, `parent` is the ID of the mount that `point` is on. `root` is the folder
 * of the file system that is mounted: '/' unless it is a bind mount or a subvolume.
 */
export type Mounted = {
  id: number
  parent: number
  device: string
  root: string
  point: string
  /** Options of this mount, such as `noatime`. */
  options: string[]
  type: string
  source: string
}

const mountinfo = '/proc/self/mountinfo'

/** Mounts of this machine, as the kernel reports them: the last one of a place is on top. */
export const readMounts = async (): Promise<Mounted[]> => mountsIn(nameFromBytes(await readFile(mountinfo)))

/** Same, for threads; none where the kernel doesn't report them. */
export function readMountsSync(): Mounted[] {
  try {
    return mountsIn(nameFromBytes(readFileSync(mountinfo)))
  } catch {
    return []
  }
}

/** Reads `/proc/self/mountinfo`; see proc(5). */
export function mountsIn(text: string): Mounted[] {
  return text.split('\n').flatMap((line) => {
    const [about = '', more = ''] = line.split(' - ')
    const [id, parent, device, root, point, options = ''] = about.split(' ').map(unescaped)
    const [type, source = ''] = more.split(' ').map(unescaped)
    if (!id || !parent || !device || !root || !point || !type) return []
    return [{ id: Number(id), parent: Number(parent), device, root, point, options: options.split(','), type, source }]
  })
}

/** Blanks and backslashes are written as octal numbers. */
const unescaped = (word: string): string =>
  word.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

/** Types of file systems whose entries are made up by a program (FUSE, except for disks) or by a server with features of its own, such as SMB. */
const served = /^(?:fuse(?!blk)|cifs|smb|9p|vboxsf|prl_fs|virtiofs)/
export const isServed = (type: string): boolean => served.test(type)

/** Types of file systems whose files are on a server in the network. */
const remote = /^(?:nfs|ceph|lustre|beegfs|gpfs|afs|cvfs|panfs|wekafs|pvfs2|coda|ncpfs|gfs2|ocfs2)/
/** True if a file system may answer as late as a network does. */
export const isRemote = (type: string): boolean => remote.test(type) || isServed(type)

/** True if a path is a folder or inside it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** The mounts that can be reached: no other one covers them or their parent. */
export function visibleMounts(mounts: readonly Mounted[]): Mounted[] {
  const byId = new Map(mounts.map((mount) => [mount.id, mount]))
  const siblings = Map.groupBy(mounts, ({ parent }) => parent)
  const order = new Map(mounts.map(({ id }, at) => [id, at]))
  const isLater = (one: Mounted, other: Mounted) => (order.get(one.id) ?? 0) > (order.get(other.id) ?? 0)
  const covered = new Map<number, boolean>()
  const isCovered = (mount: Mounted): boolean => {
    const known = covered.get(mount.id)
    if (known !== undefined) return known
    // Also ends a cycle of parents, which only a damaged list has.
    covered.set(mount.id, false)
    const parent = byId.get(mount.parent)
    const isHidden =
      siblings.get(mount.id)?.some(({ id, point }) => id !== mount.id && point === mount.point) === true ||
      siblings.get(mount.parent)?.some((other) => isLater(other, mount) && isWithin(mount.point, other.point)) ===
        true ||
      (parent !== undefined && parent.point !== mount.point && isCovered(parent))
    covered.set(mount.id, isHidden)
    return isHidden
  }
  return mounts.filter((mount) => !isCovered(mount))
}

/** The mount that has a path; undefined if mounts are unknown. */
export const mountOf = (path: string, visible: readonly Mounted[]): Mounted | undefined =>
  visible.filter(({ point }) => isWithin(path, point)).sort((a, b) => b.point.length - a.point.length)[0]

/** The mount that a folder without symbolic links in its path is on; undefined if none is known. */
export const mountWith = async (realPath: string): Promise<Mounted | undefined> =>
  mountOf(realPath, visibleMounts(await readMounts()))

/** Host in the source of a mount, such as 'nas1' of `//nas1/media` (SMB) or `nas1:/export` (NFS). */
const hostOfSource = /^\/\/(?:[^/@]*@)?([^/]+)\/|^(?:[^/@:]*@)?(\[[^\]]+\]|[^/:@]+):\//

/** The server that answers requests for a mounted file system: a host in lower case, else the device. */
export function serverOfMount({ source, device }: Pick<Mounted, 'source' | 'device'>): string {
  const [, ofShare, ofExport] = hostOfSource.exec(source) ?? []
  return (ofShare ?? ofExport)?.replace(/^\[|\]$/g, '').toLowerCase() ?? device
}

/** Same for a folder of this machine. */
export async function serverOf(folder: string): Promise<string> {
  const mount = await mountWith(await realpath(folder)).catch(() => undefined)
  return mount ? serverOfMount(mount) : `device ${(await stat(folder)).dev}`
}
