import type { EntrySummary } from '#events/entries.ts'
import { onDemand } from '#client/ui/onDemand.tsx'

export type TagsDialogProps = { entry: EntrySummary | undefined; onClose: () => void }

/** Adds tags to an entry, or removes them. Closed without an entry. */
export const TagsDialog = onDemand(
  () => import('./TagsDialogContent.tsx').then((m) => m.TagsDialogContent),
  ({ entry }: TagsDialogProps) => entry !== undefined,
)
