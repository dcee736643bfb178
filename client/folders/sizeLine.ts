import type { FolderAtDate } from '#events/folders/calls.ts'
import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import { changeWords } from '#client/ui/text/change.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'

/** Size of the folder in each snapshot, with the change since the previous one. */
export const sizeParts = (history: readonly FolderAtDate[], base: SizeBase): ChartPart[] =>
  history.map(({ indexingDate, size }, index) => {
    const before = history[index - 1]
    const text = sizeWords(size, base)
    return {
      key: indexingDate,
      label: indexingDate,
      value: Math.max(0, size),
      text,
      role: 'category-1',
      isPickable: true,
      cells: [text, before ? changeText(size - before.size, base) : '-'],
    }
  })

/** Summary of the chart in a sentence. */
export function sizeSentence(history: readonly FolderAtDate[], base: SizeBase): string {
  const [first, last] = [history[0], history.at(-1)]
  if (!first || !last) return 'Size Variation'
  const now = `${sizeWords(last.size, base)} on ${last.indexingDate}`
  return first === last
    ? `Size Variation: ${now}.`
    : `Size Variation: from ${sizeWords(first.size, base)} on ${first.indexingDate} to ${now}.`
}

const changeText = (change: number, base: SizeBase): string => (change === 0 ? 'No change' : changeWords(change, base))
