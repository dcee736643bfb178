import { cleanText } from '#events/contract/cleanText.ts'
import type { ActionContext } from './action.ts'

export type BatchProgress = ReturnType<typeof newBatchProgress>

/** Progress of the batches that are in progress at the same time: the first note is shown with the job, and the sum of their bytes. */
export function newBatchProgress(report: ActionContext['report']) {
  const notes = new Map<string, string>()
  const bytes = new Map<string, number>()
  let shown = ''
  return {
    note(reference: string, text: string): void {
      if (text === '') notes.delete(reference)
      else notes.set(reference, cleanText(text, 1_000))
      const [first = ''] = notes.values()
      if (first !== '' || shown !== '') report({ note: first })
      shown = first
    },
    setBytes(reference: string, count: number): void {
      if (count === (bytes.get(reference) ?? 0)) return
      if (count === 0) bytes.delete(reference)
      else bytes.set(reference, count)
      report({ bytesInProgress: [...bytes.values()].reduce((sum, each) => sum + each, 0) })
    },
  }
}
