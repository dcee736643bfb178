import { type Icon, IconArrowsMove, IconCircleMinus, IconCirclePlus, IconEyeOff, IconPencil } from '@tabler/icons-react'
import type { KindOfChange } from '#events/comparison.ts'
import type { Tone } from '#client/ui/values/StatusBadge.tsx'

/** Label, icon and explanation of each kind of change. */
export const kindWords: Record<KindOfChange, { word: string; icon: Icon; tone: Tone; hint: string }> = {
  CREATED: { word: 'Created', icon: IconCirclePlus, tone: 'good', hint: 'Added since the earlier snapshot' },
  CHANGED: {
    word: 'Changed',
    icon: IconPencil,
    tone: 'ok',
    hint: 'At the same path, with another size, content, owner, group or mode',
  },
  MOVED: {
    word: 'Moved',
    icon: IconArrowsMove,
    tone: 'attention',
    hint: 'Moved or renamed, including into or out of this folder',
  },
  REMOVED: { word: 'Removed', icon: IconCircleMinus, tone: 'critical', hint: 'Removed since the earlier snapshot' },
  NO_LONGER_INDEXED: {
    word: 'No longer indexed',
    icon: IconEyeOff,
    tone: 'quiet',
    hint: 'No longer covered by scans',
  },
}

/** `Created or Moved` */
export const kindsText = (kinds: readonly KindOfChange[]): string =>
  kinds.map((kind) => kindWords[kind].word).join(' or ')
