import { cleanText } from '#events/contract/cleanText.ts'
import { type FileOutcome, maxReason, type PlannedFile } from '#events/actions/files.ts'

type File = Pick<PlannedFile, 'position'>

export const done = ({ position }: File): FileOutcome => ({ position, state: 'done', reference: '', reason: '' })
/** The file will be sent again. */
export const planned = ({ position }: File): FileOutcome => ({ position, state: 'planned', reference: '', reason: '' })
export const failed = ({ position }: File, reason: string): FileOutcome => ({
  position,
  state: 'failed',
  reference: '',
  reason: cleanText(reason, maxReason),
})

/** Reason of a file whose name no other system can receive; see `isText`. */
export const unsendable = 'Name is not valid UTF-8. Rename it'
