import type { QueueMessage } from '../../systems/s3/queue.ts'

type HeldMessage = { receipt: string; sentMs: number; folders: Set<string> }

/** Messages that were received and can't be deleted yet, because folders that they name aren't shown since then. */
export class HeldMessages {
  readonly #messages = new Map<string, HeldMessage>()
  readonly #byFolder = new Map<string, Set<string>>()
  /** Messages of folders that are listed now, or whose listing waits for the server's answer. */
  #listed = new Map<string, Set<string>>()

  get size(): number {
    return this.#messages.size
  }

  /** Returns false for a message that is held already and was only sent again. */
  add({ id, receipt, sentMs }: QueueMessage, folders: Set<string>): boolean {
    const known = this.#messages.get(id)
    if (known) {
      known.receipt = receipt
      return false
    }
    this.#messages.set(id, { receipt, sentMs, folders })
    for (const folder of folders) this.#wait(folder, [id])
    return true
  }

  /** The folder is listed from now on: messages that arrive later are about later changes. */
  listing(folder: string): void {
    const ids = this.#byFolder.get(folder)
    if (!ids) return
    this.#byFolder.delete(folder)
    this.#listed.set(folder, ids)
  }

  /** Folders that were listed are shown. Returns the receipts of messages all of whose folders are. */
  shown(): string[] {
    const receipts: string[] = []
    for (const [folder, ids] of this.#listed)
      for (const id of ids) {
        const held = this.#messages.get(id)
        held?.folders.delete(folder)
        if (held?.folders.size !== 0) continue
        receipts.push(held.receipt)
        this.#messages.delete(id)
      }
    this.#listed.clear()
    return receipts
  }

  /** Folders that were listed are not shown. Returns all folders of messages. */
  putBack(): Iterable<string> {
    for (const [folder, ids] of this.#listed) this.#wait(folder, ids)
    this.#listed.clear()
    return this.#byFolder.keys()
  }

  /** Milliseconds UTC when the oldest message was sent; Infinity without one. */
  oldestMs(): number {
    let oldest = Infinity
    for (const { sentMs } of this.#messages.values()) oldest = Math.min(oldest, sentMs)
    return oldest
  }

  #wait(folder: string, ids: Iterable<string>): void {
    const waiting = this.#byFolder.get(folder) ?? new Set()
    this.#byFolder.set(folder, waiting)
    for (const id of ids) waiting.add(id)
  }
}
