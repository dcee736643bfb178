import type { FileOutcome } from '#events/actions/files.ts'

/** Limits of results that wait to be recorded, and would be lost in a crash: files, bytes that were read, and milliseconds. */
const maxWaiting = { files: 200, bytes: 16 * 1_024 * 1_024, ms: 1_000 }

/** Records outcomes of files together. */
export function newOutcomeBuffer(record: (outcomes: FileOutcome[]) => Promise<void>) {
  let waiting: FileOutcome[] = []
  let bytes = 0
  let since = performance.now()
  const flush = async (): Promise<void> => {
    const outcomes = waiting
    waiting = []
    bytes = 0
    since = performance.now()
    if (outcomes.length > 0) await record(outcomes)
  }
  return {
    flush,
    /** Adds the outcome of a file, and the number of bytes that were read for it. */
    async add(outcome: FileOutcome, bytesRead: number): Promise<void> {
      waiting.push(outcome)
      bytes += bytesRead
      if (waiting.length >= maxWaiting.files || bytes >= maxWaiting.bytes || performance.now() - since >= maxWaiting.ms)
        await flush()
    },
  }
}
