import { useSnapshot } from 'valtio'
import type { Totals } from '#events/search/calls.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { duplicateRule, reclaimableRule, reclaimableWords } from './duplicateWords.ts'

/**
 * Space that deleting all copies but one would free. The tooltip defines a copy. Empty if the files are not duplicates.
 */
export function Reclaimable({ totals }: { totals: Totals }) {
  const { base } = useSnapshot(sizeSetting)
  const words = reclaimableWords(totals, base)
  return words && <span title={`${duplicateRule} ${reclaimableRule}`}>{words}</span>
}
