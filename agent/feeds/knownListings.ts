import { type Statx, inodeOf } from '../systems/local/statx.ts'

/** Maximum number of entries that are remembered: with its name, one takes about a hundred bytes. */
const maxEntries = 500_000

/** The entries of a folder as they were sent: names, and fingerprints of the kernel's data about them. NaN equals nothing. */
export type Fingerprints = Map<string, number>

/**
 * The server's knowledge of the folders that were listed since the session began, so that one change in a large folder doesn't send all of it again. A folder
 * is remembered by its inode at one path: the server carries moved folders itself, with contents that may have changed meanwhile.
 */
export class KnownListings {
  readonly #folders = new Map<string, { key: string; entries: Fingerprints }>()
  readonly #paths = new Map<string, string>()
  #entries = 0

  /** Undefined if the folder has to be sent whole. */
  of(key: string, path: string): Fingerprints | undefined {
    const known = this.#folders.get(path)
    return known?.key === key ? known.entries : undefined
  }

  remember(key: string, path: string, entries: Fingerprints): void {
    for (const name of this.#folders.get(path)?.entries.keys() ?? [])
      if (!entries.has(name)) this.#forgetBelow(`${path}/${name}`)
    this.forget(this.#paths.get(key) ?? path)
    this.forget(path)
    this.#folders.set(path, { key, entries })
    this.#paths.set(key, path)
    this.#entries += entries.size
    for (const oldest of this.#folders.keys()) {
      if (this.#entries <= maxEntries) return
      this.forget(oldest)
    }
  }

  /** The server learns of a folder by its own listing, before that of the folder that it is in. */
  addFolder(path: string): void {
    for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const entries = this.#folders.get(at.slice(0, at.lastIndexOf('/')))?.entries
      const name = at.slice(at.lastIndexOf('/') + 1)
      if (!entries || entries.has(name)) continue
      entries.set(name, NaN)
      this.#entries++
    }
  }

  forget(path: string): void {
    const known = this.#folders.get(path)
    if (!known) return
    this.#entries -= known.entries.size
    this.#folders.delete(path)
    this.#paths.delete(known.key)
  }

  /** A folder that comes back is another one, or has the contents that the server forgot. */
  #forgetBelow(path: string): void {
    if (!this.#folders.has(path)) return
    for (const known of Array.from(this.#folders.keys()))
      if (known === path || known.startsWith(`${path}/`)) this.forget(known)
  }

  clear(): void {
    this.#folders.clear()
    this.#paths.clear()
    this.#entries = 0
  }
}

/** Words of `struct statx` from the number of links to the device, among them all times: a new time of status change tells all else. */
const words = { first: 4, end: 36, created: 20 } as const

/** A folder's inode and time of creation: a freed inode is used again at once. The root has none. */
export const folderKey = (stat: Statx | undefined): string =>
  stat ? `${inodeOf(stat)} ${stat.subarray(words.created, words.created + 3)}` : ''

/** 53 bits of a hash (FNV-1a on words of 32 bits, in two lanes). */
export function fingerprint(stat: Statx): number {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let word = words.first; word < words.end; word++) {
    low = Math.imul(low ^ (stat[word] as number), 0x01000193)
    high = Math.imul((high ^ (stat[word] as number)) + (low >>> 15), 0x85ebca6b)
  }
  return (low >>> 0) + (high >>> 11) * 2 ** 32
}
