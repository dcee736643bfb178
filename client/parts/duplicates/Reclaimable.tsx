import { useSnapshot } from 'valtio'
import type { Totals } from '#events/search/calls.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { duplicateRule, reclaimableRule, reclaimableWords } from './duplicateWords.ts'

/**
 * Space that deleting all copies but one would free. The tooltip defines a copy. Empty if the files are not duplicates.
 */
export function Reclaimable({ totals }: { totals: Totals }) {
  const { base } = useSnapshot(sizeSetting)
  const text = reclaimableWords(totals, base)
  return text && <span title={`${duplicateRule} ${reclaimableRule}`}>{text}</span>
}
