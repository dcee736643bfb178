import { z } from 'zod'
import { filledPath } from '#events/contract/blank.ts'
import { endpoint } from '#events/contract/endpoint.ts'

/**
 * Files that rules would leave out of the newest snapshot of a file storage; days without one have no date and no numbers. Sizes in bytes.
 */
export const RulePreview = z.object({
  indexingDate: z.string().nullable(),
  files: z.number(),
  /** Folders stay where rules are `foldersOnly`: none then. */
  folders: z.number(),
  size: z.number(),
})
export type RulePreview = z.infer<typeof RulePreview>

/**
 * Asks before rules are saved. `ignored` rules leave out all that they match, `foldersOnly` the files below what they match.
 * What the snapshot's own scan left out is not in it, and not counted.
 */
export const rulePreview = endpoint({
  method: 'POST',
  path: '/v1/pathRules/preview',
  needs: 'settings.edit',
  failure: 'Unable to preview the rules',
  body: z.object({
    volumeId: z.int().min(1),
    kind: z.enum(['ignored', 'foldersOnly']),
    rules: z.array(filledPath('must not be blank')).max(1_000),
  }),
  answer: RulePreview,
})
