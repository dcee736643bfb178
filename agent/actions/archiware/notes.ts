import type { ActionContext } from '../action.ts'

/** Notes of the batches that are in progress at the same time; the first one is shown with the job. */
export function newNotes(report: ActionContext['report']) {
  const notes = new Map<string, string>()
  let shown = ''
  return (reference: string, text: string) => {
    if (text === '') notes.delete(reference)
    else notes.set(reference, text.slice(0, 1_000))
    const [first = ''] = notes.values()
    if (first !== '' || shown !== '') report({ note: first })
    shown = first
  }
}
