import { z } from 'zod'

/** Facts of the scan that each part carries to a later attempt. */
const Head = {
  /** ID of the snapshot that is listed. */
  snapshot: z.string(),
  /** Days after which it expires; 0 where it is not kept. */
  days: z.number(),
  /** ID of the changelist of a delta. */
  changelist: z.string().optional(),
  /** The reason why all is listed in a delta scan. */
  note: z.string().optional(),
}

/** Directories that are still to be listed. Their paths are relative to the storage. */
const Directories = z.object({ ...Head, parent: z.string(), names: z.array(z.string()).min(1) })

/**
 * A directory whose listing continues after `resume`. The first `sent` entries, up to the one named `last`, have been sent already.
 * `passed` of them were listed again, where the listing had to start over.
 */
const Continuation = z.object({
  ...Head,
  path: z.string(),
  resume: z.string().optional(),
  sent: z.number(),
  last: z.string(),
  passed: z.number(),
  /** Number of times that the listing started over. */
  restarts: z.number(),
})

const Part = z.union([Continuation, Directories])
export type Part = z.infer<typeof Part>
type Directories = z.infer<typeof Directories>
export type Continuation = z.infer<typeof Continuation>
export type Head = Pick<Directories, 'snapshot' | 'days' | 'changelist' | 'note'>

export const readPart = (text: string): Part => Part.parse(JSON.parse(text))
export const writePart = (part: Part): string => JSON.stringify(part)

/** Directories of a part at most: it is written again after each of them. */
const maxNames = 64

/** Parts of directories in one parent, about `count` of them. */
export function directoryParts(head: Head, parent: string, names: readonly string[], count = 1): Part[] {
  const perPart = Math.max(1, Math.min(maxNames, Math.ceil(names.length / count)))
  const parts: Part[] = []
  for (let from = 0; from < names.length; from += perPart)
    parts.push({ ...head, parent, names: names.slice(from, from + perPart) })
  return parts
}
