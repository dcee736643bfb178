import { onDemand } from '#client/ui/onDemand.tsx'
import type { TagsDialogProps } from './TagsDialogContent.tsx'

/** Adds tags to an entry, or removes them. Closed without an entry. */
export const TagsDialog = onDemand(
  () => import('./TagsDialogContent.tsx').then((m) => m.TagsDialogContent),
  ({ entry }: TagsDialogProps) => entry !== undefined,
)
