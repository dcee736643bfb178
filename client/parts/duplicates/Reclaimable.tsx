import { useSnapshot } from 'valtio'
import type { Totals } from '#events/search/calls.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { duplicateRule, reclaimableRule, reclaimableWords } from './duplicateWords.ts'

/** What deleting all copies but one would free, with what counts as a copy one hover away; nothing of other files. */
export function Reclaimable({ totals }: { totals: Totals }) {
  const { base } = useSnapshot(sizeSetting)
  const words = reclaimableWords(totals, base)
  return words && <span title={`${duplicateRule} ${reclaimableRule}`}>{words}</span>
}
