import { createHash, type Hash, hash as hashOnce } from 'node:crypto'
import { statxWords as at } from '#events/node/blocks/rowsOfFiles.ts'
import type { FileTotals } from '#events/scans/entryRow.ts'
import { plausibleTime } from '#events/scans/plausibleTime.ts'
import type { DiskEntry } from '../../systems/local/diskEntry.ts'
import type { Owners } from '../../systems/local/owners.ts'
import { allocatedSizeOf, sizeOf } from '../../systems/local/statx.ts'
import { digestBytes, type DigestTable, openTable } from '../digests/digestTable.ts'
import type { ThreadDigests } from '../digests/openDigests.ts'
import { FileRecords } from './fileRecords.ts'

/** Bytes of records that are hashed at once, and that are held back at most: those of a hundred thousand files. */
const hashedAtOnce = 64 * 1024
const maxHeld = 8 * 1024 * 1024

type Options = {
  digests: ThreadDigests
  /** Names of users and groups, which are part of rows. */
  owners: Pick<Owners, 'key' | 'lookedUp'>
  /** Is given the digest of each folder that has one. */
  made(digest: Uint32Array): void
}
/** Writes the row of a file that was held back. */
type WriteFile = (entry: DiskEntry) => void

/**
 * The files of the folder that is listed: their digest, and whether it is known. Where rows may turn out to be needless they are held
 * back until the folder is over: `add` says so of each.
 *
 * A folder has no digest when a file of it has several links, for which of these counts is decided among all folders, or could not be
 * looked up. Nor has one without files.
 */
export class FolderFiles {
  readonly #table: DigestTable | undefined
  readonly #records = new FileRecords()
  readonly #digest = new Uint32Array(digestBytes / 4)
  readonly #prefix: string
  readonly #mayHold: boolean
  readonly #made: Options['made']
  readonly #owners: Options['owners']
  /** Names of owners in this folder that aren't listed. */
  readonly #names = new Set<string>()
  #user = -1
  #group = -1
  #write: WriteFile = () => {}
  #totals = noTotals()
  #scannedAt = 0
  #isFit = false
  #isHolding = false
  #hash: Hash | undefined

  constructor({ digests: { rules, known }, owners, made }: Options) {
    this.#table = known && openTable(known.table)
    this.#mayHold = known !== undefined && !known.isCheck
    this.#prefix = createHash('sha256').update(`${rules}\n${owners.key}`).digest('base64')
    this.#made = made
    this.#owners = owners
  }

  /** Another folder is listed; `write` writes rows that were held back. */
  begin(path: string, write: WriteFile): void {
    this.#write = write
    this.#records.begin(`${this.#prefix}${path}`)
    this.#totals = noTotals()
    this.#scannedAt = Math.floor(Date.now() / 1000)
    this.#isFit = true
    this.#isHolding = this.#mayHold
    this.#hash = undefined
    this.#names.clear()
    this.#user = this.#group = -1
  }

  /** Adds a file; whether its row is held back, and not to be written. */
  add(entry: DiskEntry): boolean {
    if (!this.#isFit) return false
    const isHolding = this.#isHolding
    if (entry.error !== undefined || entry.stat[at.linkCount] !== 1 || !this.#records.add(entry, isHolding)) {
      this.release()
      return false
    }
    addTo(this.#totals, entry, this.#scannedAt)
    this.#addOwners(entry.stat)
    if (this.#records.length > (isHolding ? maxHeld : hashedAtOnce)) this.#hashSoFar()
    return isHolding
  }

  /** The folder was listed to its end. If all its files are as known, what they come to; what was held back is not written then. */
  end(): FileTotals | undefined {
    const totals = this.#totals
    const isFit = this.#isFit && totals.files > 0 && areExact(totals)
    const isKnown = isFit && this.#isKnown()
    if (isKnown) this.#isHolding = false
    this.release()
    return isKnown ? totals : undefined
  }

  /** The folder has no digest: what was held back is written. */
  release(): void {
    this.#writeHeld()
    this.#isFit = false
  }

  /** Files in a folder usually have the same owner. */
  #addOwners(stat: Uint32Array): void {
    const [user, group] = [stat[at.user] as number, stat[at.group] as number]
    if (user === this.#user && group === this.#group) return
    this.#user = user
    this.#group = group
    for (const [database, id] of [['passwd', user] as const, ['group', group] as const]) {
      const name = this.#owners.lookedUp(database, id)
      if (name !== '') this.#names.add(`${database} ${id} ${name}`)
    }
  }

  #isKnown(): boolean {
    if (this.#names.size > 0)
      this.#hash = (this.#hash ?? createHash('sha256')).update([...this.#names].sort().join('\n'))
    const bytes = this.#records.bytes()
    const whole = this.#hash ? this.#hash.update(bytes).digest() : hashOnce('sha256', bytes, 'buffer')
    for (let n = 0; n < this.#digest.length; n++) this.#digest[n] = whole.readUInt32LE(4 * n)
    this.#made(this.#digest)
    // Of a folder that was too large some rows are written.
    const mayBeNeedless = this.#isHolding || !this.#mayHold
    return mayBeNeedless && this.#table?.has(this.#digest) === true
  }

  #hashSoFar(): void {
    this.#hash ??= createHash('sha256')
    this.#hash.update(this.#records.bytes())
    this.#writeHeld()
  }

  #writeHeld(): void {
    if (this.#isHolding) this.#records.show(this.#write)
    this.#isHolding = false
    this.#records.clear()
  }
}

const noTotals = (): FileTotals => ({
  files: 0,
  size: 0,
  allocatedSize: 0,
  accessed: 0,
  modified: 0,
})

/** Times are judged as by the server, which compares them with those of the folder that it knows. */
function addTo(totals: FileTotals, { stat, linkTarget }: DiskEntry, scannedAt: number): void {
  const modified = plausibleTime(momentOf(stat, at.modified), scannedAt)
  const accessed = linkTarget === '' ? plausibleTime(momentOf(stat, at.accessed), scannedAt) : modified
  totals.files++
  totals.size += sizeOf(stat)
  totals.allocatedSize += allocatedSizeOf(stat)
  if (accessed > totals.accessed) totals.accessed = accessed
  if (modified > totals.modified) totals.modified = modified
}

/** Seconds; before 1970 they are negative. */
const momentOf = (stat: Uint32Array, word: number): number =>
  (stat[word] as number) + ((stat[word + 1] as number) | 0) * 2 ** 32

/** Sums that a double does not hold are the engine's to work out. */
const areExact = (totals: FileTotals): boolean => Object.values(totals).every(Number.isSafeInteger)
