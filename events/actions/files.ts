import { z } from 'zod'
import { externalText } from '#events/contract/externalText.ts'
import { MediaFacts } from '#events/media/facts.ts'

/** Maximum number of files in a page and of outcomes in a report. */
export const maxFilesPerPage = 1_000

/** Characters of the reason for which a file failed. */
export const maxReason = 1_024

const position = z.int().min(1)
const reference = z.string().max(1_024)
/** The attempt of a task that a request is of. */
export const attempt = { taskId: z.int(), run: z.string().max(64), attempt: z.int().min(1) }

/**
 * States of a file of an action. `planned`: nothing was sent. `sent`: recorded before the request to the external system, which may or
 * may not have it; `reference` names the request there. `done` and `failed` are final. A file of a comparison is `sent` once its beginning and
 * its end were read; its reference has its digests, see `contents.ts`.
 */
export const fileStates = ['planned', 'sent', 'done', 'failed'] as const
export type FileState = (typeof fileStates)[number]

/** A file of the frozen list. `modified` is in seconds since 1970 UTC. */
export const PlannedFile = z.object({
  position,
  /** Full path, as the agent sees it. */
  path: z.string(),
  /** Path as the external system names it; for a comparison, the set of duplicates that the file belongs to. */
  place: z.string(),
  /** Path in the storage that the user selected it from, without the storage's root; keeps folders apart in a target. */
  pathInStorage: z.string(),
  /** The storage includes file systems that are mounted below its root. */
  crossesFileSystems: z.literal(true).optional(),
  size: z.number().min(0),
  modified: z.number(),
  reference: reference.default(''),
  /** Inode at the scan, as a decimal number, and number of hard links, all of which are planned. Only files for quarantine have them. */
  inode: z.string().optional(),
  links: z.int().optional(),
  /** Of files of a comparison that are `sent`: no other file of the set can be equal, so the file need not be read in full. */
  isUnlikeOthers: z.literal(true).optional(),
})
export type PlannedFile = z.infer<typeof PlannedFile>

/**
 * The instruction to an attempt after a request: `stop` if another attempt runs, or none may, and `cancel` if the job was cancelled or paused, and
 * what is in progress in the external system should end too.
 */
export const Verdict = z.enum(['continue', 'stop', 'cancel'])
export type Verdict = z.infer<typeof Verdict>

/** Request for files of a task in one state, in the order of their positions after `after`. */
export const FilesRequest = z.object({ ...attempt, state: z.enum(['planned', 'sent']), after: z.int().min(0) })
export type FilesRequest = z.infer<typeof FilesRequest>
/** An empty page is the last one, if the verdict is to continue. */
export const FilesPage = z.object({ files: z.array(PlannedFile), verdict: Verdict })
export type FilesPage = z.infer<typeof FilesPage>

/** New state of a file; back to `planned` if the external system turned out not to have it. `reason`: why it failed. */
export const FileOutcome = z.object({
  position,
  state: z.enum(fileStates),
  reference: reference.default(''),
  reason: externalText(maxReason).default(''),
  /** Of a media file that was read: its facts. */
  media: MediaFacts.optional(),
})
export type FileOutcome = z.infer<typeof FileOutcome>

/**
 * Records states of files. The answer comes once they are stored; an agent sends nothing to an external system before that. `sequence`
 * counts the reports of an attempt from 1: a repeated report changes nothing, and a later one wins.
 */
export const OutcomesReport = z.object({
  ...attempt,
  sequence: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
  outcomes: z.array(FileOutcome).max(maxFilesPerPage),
  /** The reason why the action waits, such as a tape; '' for nothing. */
  note: externalText(maxReason).default(''),
  /** Bytes of a file in progress, in addition to those of files that are done. */
  bytesInProgress: z.number().min(0).default(0),
})
export type OutcomesReport = z.infer<typeof OutcomesReport>

/** The attempt has ended: all files have a final state, or `reason` says why it failed as a whole. */
export const EndReport = z.object({ ...attempt, reason: externalText(4_096).optional() })
export type EndReport = z.infer<typeof EndReport>

export const ReportAnswer = z.object({ verdict: Verdict })
export type ReportAnswer = z.infer<typeof ReportAnswer>
