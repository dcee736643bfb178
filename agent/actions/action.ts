import type { CopyRange, RangeDigest } from '#events/actions/copies.ts'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { ActionKind, ActionOrder, SystemOrder } from '#events/actions/orders.ts'
import { cleanText } from '#events/contract/cleanText.ts'
import { maxMessage, ShownError } from '../systems/system.ts'

/** Files that are sent together. `reference` is unique for each time files are sent, and names them in the external system. */
export type Batch = { reference: string; files: PlannedFile[] }

/** The reason why an action waits, such as a tape, and the bytes of files that are in progress. Shown with the job. */
export type Progress = { note?: string; bytesInProgress?: number }

/**
 * An action in an external system. Files are recorded as sent before `send`, so that after a crash at any moment `follow` alone decides
 * what became of them, and no file is processed twice.
 */
export type Action = {
  /** Maximum number of files of a batch, and number of batches at the same time. */
  batchSize: number
  parallel: number
  /**
   * Sends a batch, once. Called again neither after an error nor after a restart. Throws `ActionFailed` if the system refused it for a
   * reason that concerns all files: then it has none of them. After any other error the system may have it.
   */
  send(batch: Batch, signal: AbortSignal): Promise<void>
  /**
   * Waits until the system has finished with a batch that was sent, perhaps by an earlier attempt, and returns the outcome of each file:
   * done, failed, or `planned` if the system never got it. Can be repeated.
   */
  follow(batch: Batch, signal: AbortSignal): Promise<FileOutcome[]>
  /** The job was cancelled: ends what can be ended of a batch in the system. */
  cancel?(batch: Batch, signal: AbortSignal): Promise<void>
  close?(): Promise<void>
}

/** Facts that an action gets besides its system. */
export type ActionContext = Pick<ActionOrder, 'jobId' | 'product'> & {
  signal: AbortSignal
  report: (progress: Progress) => void
  /** Digests of parts of copies in the target of a move, read by the agent of that storage. */
  digestCopies: (ranges: CopyRange[]) => Promise<RangeDigest[]>
}

/** Opens the system of an action and checks what can be checked, such as the sign-in. Throws `ActionFailed`. */
export type OpenAction<K extends ActionKind> = (
  system: Extract<SystemOrder, { kind: K }>,
  context: ActionContext,
) => Promise<Action>

/** The action can't continue: the message says why, and what to do. Files without a final state stay planned or sent. `debugMessage` is the system's own text. */
export class ActionFailed extends ShownError {
  readonly debugMessage: string
  constructor(message: string, debugMessage = message) {
    super(message)
    this.debugMessage = cleanText(debugMessage, maxMessage)
  }
}

/** The system can't answer at the moment; the same request is worth another try. The message is shown while waiting. */
export class SystemAway extends ShownError {
  readonly debugMessage: string
  constructor(message: string, debugMessage = message) {
    super(message)
    this.debugMessage = cleanText(debugMessage, maxMessage)
  }
}
