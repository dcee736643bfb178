import { counted } from '#events/contract/counted.ts'
import { cleanLine } from '#events/contract/cleanText.ts'
import { isText } from '#events/contract/fileNames.ts'
import { unsendable } from '../../actions/outcomes.ts'
import { areCopiesEqual } from './fileInfo.ts'
import { isForeignLocation } from './unconfirmed.ts'
import type { Situation } from './verbs.ts'

/** A situation with the server's own text about the file; '' for none. */
type Failed = Situation & { text: string }

type Row = {
  verb?: 'store' | 'retrieve'
  text?: RegExp
  isOf?: (failed: Failed) => boolean
  reason: (failed: Failed) => string
}

const tapesOf = ({ source }: Failed) => source.file?.media.map(({ mediaId }) => mediaId).join(', ') ?? ''
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/'

/** Reasons why a file failed, and what to do. The first row that fits counts. */
const rows: Row[] = [
  {
    isOf: ({ file, targetPath }) => !isText(file.place) || !isText(targetPath ?? ''),
    reason: () => unsendable,
  },
  {
    text: /\bdelet|\bfsrecover\b|\bfsundelete\b/i,
    isOf: ({ source }) => !source.file,
    reason: () =>
      'The file was deleted from the file system. Recover it on the StorNext server with fsrecover or fsundelete',
  },
  {
    isOf: ({ source }) => !source.file,
    reason: ({ file }) => `Storage Manager does not know ${file.place}. If the file exists, check the path mapping`,
  },
  {
    isOf: ({ source }) => isForeignLocation(source.file?.location ?? ''),
    reason: () => 'The file is on a foreign system, which Storage Manager does not manage',
  },
  {
    isOf: ({ file, targetPath }) => targetPath === file.place,
    reason: () => 'The new path is the path of the file itself. Choose another folder',
  },
  {
    isOf: ({ target }) => target?.file !== undefined,
    reason: ({ targetPath }) => `Another file is already at ${targetPath}. Choose another folder, or remove that file`,
  },
  {
    verb: 'store',
    isOf: ({ source }) => !areCopiesEqual(source.file?.checksums ?? []),
    reason: (failed) => `The copies of the file on ${tapesOf(failed)} have different checksums. Check these tapes`,
  },
  { text: /\bscratch\b|\bblank media\b/i, reason: () => 'No tape has space left. Add tapes to the library' },
  {
    verb: 'store',
    text: /\bchanged|\bmodified/i,
    reason: () => 'The file changed while it was stored, so that its copy on tape is not valid. Store it again',
  },
  {
    verb: 'store',
    isOf: ({ source }) => source.file?.policyClass === '',
    reason: ({ file }) =>
      `No policy class applies to ${folderOf(file.place)}. Add the folder to a policy class of StorNext`,
  },
  {
    text: /\b(media|tape|volume)\b.*\b(not available|unavailable|offline|not found|vault)/i,
    reason: (failed) => `A tape of the file is not in the library. Insert ${tapesOf(failed) || 'it'} and try again`,
  },
  {
    verb: 'retrieve',
    isOf: ({ source }) => source.file?.existingCopies === 0,
    reason: () => 'No tape has a valid copy of the file: it was never stored, or changed on disk afterwards',
  },
  {
    verb: 'retrieve',
    text: /\bno (disk )?space\b|\bnot enough space\b|\bquota\b/i,
    reason: () => 'The file system has no space left for the file',
  },
  {
    text: /\bdirectory\b.*\b(does not exist|not found)\b/i,
    isOf: ({ target }) => target !== undefined,
    reason: ({ targetPath }) => `The folder ${folderOf(targetPath ?? '')} does not exist. Create it and try again`,
  },
  {
    verb: 'store',
    isOf: ({ source, text }) => text === '' && (source.file?.existingCopies ?? 0) > 0,
    reason: ({ source }) =>
      `Only ${source.file?.existingCopies} of ${counted(source.file?.targetCopies ?? 0, 'copy is', 'copies are')} on tape. Storage Manager reported no error`,
  },
  {
    isOf: ({ text }) => text === '',
    reason: ({ order }) =>
      `Storage Manager reported no error, but the file is not ${order.verb === 'store' ? 'on tape' : 'on disk'}`,
  },
]

/** Reason why a file failed, with the server's own text. */
export function reasonFor(failed: Failed): string {
  const row = rows.find(
    ({ verb, text, isOf }) =>
      (verb === undefined || verb === failed.order.verb) &&
      (text?.test(failed.text) ?? true) &&
      (isOf?.(failed) ?? true),
  )
  const { text } = failed
  if (!row) return shortened(`Storage Manager: ${text}`)
  return shortened(text === '' ? row.reason(failed) : `${row.reason(failed)}. Storage Manager: ${text}`)
}

/** At most the length of a reason, and on one line. */
const shortened = (text: string): string => cleanLine(text, 1_000)
