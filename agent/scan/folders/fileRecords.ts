import { hasCreated, statxWords as at } from '#events/node/blocks/rowsOfFiles.ts'
import { type DiskEntry, giveName, newDiskEntry } from '../../systems/local/diskEntry.ts'
import { modeOf } from '../../systems/local/statx.ts'

/** Words of a record before its texts: lengths, mode, owner, group, then what has 64 bits. */
const recordWords = 14
/** Words next to a record that are not part of it: inode, device, and the access of a link. */
const besideWords = 6
/** Bits that the length of a name, and that of a link's target, have in the first word of a record; one more says if there is a birth time. */
const nameBits = 12
const targetBits = 13
const defaultBytes = 64 * 1024
const defaultBesideWords = besideWords * 1_024

const nothing = Buffer.alloc(0)

/**
 * The files of a folder, one after another, as records of everything that decides their rows: unchanged files have the same records. A file
 * with another inode is the same file, because no version is made of it and some mounts invent inodes. A link that was accessed is also the
 * same, because reading its target is an access. Both values are stored next to the records, so that files can be read again.
 */
export class FileRecords {
  readonly #entry = newDiskEntry()
  #bytes = Buffer.from(new ArrayBuffer(defaultBytes))
  #words = new Uint32Array(this.#bytes.buffer)
  #beside = new Uint32Array(defaultBesideWords)
  #length = 0
  #files = 0
  /** Position of the first record. */
  #first = 0

  /** Begins with a text of its own. */
  begin(text: string): void {
    if (this.#bytes.length > defaultBytes) this.#take(Buffer.from(new ArrayBuffer(defaultBytes)))
    if (this.#beside.length > defaultBesideWords) this.#beside = new Uint32Array(defaultBesideWords)
    this.clear()
    const bytes = Buffer.from(text)
    this.#reserve(bytes.length + 8)
    this.#words[0] = bytes.length
    this.#length = 4
    this.#putTexts(nothing, 0, 0, bytes)
    this.#first = this.#length
  }

  /** Adds a file, to be shown again only if it `isHeld`. Returns false for a file whose texts are too long, and adds nothing of it. */
  add({ stat, names, nameAt, nameEnd, linkTarget }: DiskEntry, isHeld: boolean): boolean {
    const target = linkTarget === '' ? nothing : Buffer.from(linkTarget)
    const nameLength = nameEnd - nameAt
    if (nameLength >= 1 << nameBits || target.length >= 1 << targetBits) return false
    this.#reserve(recordWords * 4 + nameLength + target.length + 4)
    const created = (stat[at.mask] as number) & hasCreated ? 1 : 0
    const accessed = target.length === 0 ? 1 : 0
    const word = this.#length >> 2
    const words = this.#words
    words[word] = nameLength | (target.length << nameBits) | (created << (nameBits + targetBits))
    words[word + 1] = modeOf(stat)
    words[word + 2] = stat[at.user] as number
    words[word + 3] = stat[at.group] as number
    words[word + 4] = stat[at.size] as number
    words[word + 5] = stat[at.size + 1] as number
    words[word + 6] = stat[at.blocks] as number
    words[word + 7] = stat[at.blocks + 1] as number
    words[word + 8] = stat[at.modified] as number
    words[word + 9] = stat[at.modified + 1] as number
    words[word + 10] = (stat[at.created] as number) * created
    words[word + 11] = (stat[at.created + 1] as number) * created
    words[word + 12] = (stat[at.accessed] as number) * accessed
    words[word + 13] = (stat[at.accessed + 1] as number) * accessed
    this.#length += recordWords * 4
    this.#putTexts(names, nameAt, nameEnd, target)
    if (isHeld) this.#putBeside(stat)
    this.#files++
    return true
  }

  /** All that was added since `begin` or `clear`. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Bytes of all records. */
  get length(): number {
    return this.#length
  }

  clear(): void {
    this.#length = this.#files = 0
  }

  /** Shows the files again that were added since `begin`, each until the next is shown. */
  show(take: (entry: DiskEntry) => void): void {
    const entry = this.#entry
    let word = this.#first >> 2
    for (let file = 0; file < this.#files; file++) {
      const lengths = this.#words[word] as number
      const name = (word + recordWords) << 2
      const target = name + (lengths & ((1 << nameBits) - 1))
      const end = target + ((lengths >>> nameBits) & ((1 << targetBits) - 1))
      fill(entry.stat, this.#words, word, this.#beside, file * besideWords)
      entry.stat[at.mask] = lengths >>> (nameBits + targetBits) === 0 ? 0 : hasCreated
      entry.linkTarget = target === end ? '' : this.#bytes.toString('utf8', target, end)
      giveName(entry, this.#bytes, name, target)
      take(entry)
      word = (end + 3) >> 2
    }
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const grown = Buffer.from(new ArrayBuffer(Math.max(needed + 4, this.#bytes.length * 2)))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#take(grown)
  }

  #take(bytes: Buffer<ArrayBuffer>): void {
    this.#bytes = bytes
    this.#words = new Uint32Array(bytes.buffer, 0, bytes.length >> 2)
  }

  /** The name of a file and what it leads to, filled up with zeros: what lay there before must not make a difference. */
  #putTexts(name: Uint8Array, from: number, to: number, target: Buffer): void {
    const bytes = this.#bytes
    let length = this.#length
    for (let n = from; n < to; n++) bytes[length++] = name[n] as number
    if (target.length > 0) length += target.copy(bytes, length)
    while (length % 4 !== 0) bytes[length++] = 0
    this.#length = length
  }

  #putBeside(stat: Uint32Array): void {
    const place = this.#files * besideWords
    if (place + besideWords > this.#beside.length) {
      const grown = new Uint32Array(this.#beside.length * 2)
      grown.set(this.#beside)
      this.#beside = grown
    }
    const beside = this.#beside
    beside[place] = stat[at.inode] as number
    beside[place + 1] = stat[at.inode + 1] as number
    beside[place + 2] = stat[at.major] as number
    beside[place + 3] = stat[at.minor] as number
    beside[place + 4] = stat[at.accessed] as number
    beside[place + 5] = stat[at.accessed + 1] as number
  }
}

/** Fills in what a file of one link had. */
function fill(stat: Uint32Array, words: Uint32Array, word: number, beside: Uint32Array, place: number): void {
  stat[at.linkCount] = 1
  stat[at.mode] = words[word + 1] as number
  stat[at.user] = words[word + 2] as number
  stat[at.group] = words[word + 3] as number
  stat[at.size] = words[word + 4] as number
  stat[at.size + 1] = words[word + 5] as number
  stat[at.blocks] = words[word + 6] as number
  stat[at.blocks + 1] = words[word + 7] as number
  stat[at.modified] = words[word + 8] as number
  stat[at.modified + 1] = words[word + 9] as number
  stat[at.created] = words[word + 10] as number
  stat[at.created + 1] = words[word + 11] as number
  stat[at.inode] = beside[place] as number
  stat[at.inode + 1] = beside[place + 1] as number
  stat[at.major] = beside[place + 2] as number
  stat[at.minor] = beside[place + 3] as number
  stat[at.accessed] = beside[place + 4] as number
  stat[at.accessed + 1] = beside[place + 5] as number
}
