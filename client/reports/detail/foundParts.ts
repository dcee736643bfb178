import type { ReportFigures } from '#events/reports/templates.ts'
import { type ChartPart, withShares } from '#client/ui/charts/chartPart.ts'
import { counted, percentText } from '#client/ui/text/count.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'

type Share = { found: number; total: number }
/** Results of a run, relative to the searched data. Size in bytes. */
export type FoundTotals = { files: Share; folders: Share; size: Share }

/** Results of the last run; undefined before the first one. */
export function foundTotals(figures: ReportFigures): FoundTotals | undefined {
  const { numberOfFilesFound, numberOfFilesTotal, numberOfFoldersFound, numberOfFoldersTotal } = figures
  const { sizeOfFilesFound, sizeOfFilesTotal } = figures
  if (numberOfFilesFound === null) return undefined
  return {
    files: { found: numberOfFilesFound, total: numberOfFilesTotal ?? 0 },
    folders: { found: numberOfFoldersFound ?? 0, total: numberOfFoldersTotal ?? 0 },
    size: { found: sizeOfFilesFound ?? 0, total: sizeOfFilesTotal ?? 0 },
  }
}

/** Ring of bytes found and not found. */
export function foundParts({ size: { found, total } }: FoundTotals, base: SizeBase): ChartPart[] {
  const part = (key: string, label: string, value: number, role: ChartPart['role']): ChartPart => ({
    key,
    label,
    value,
    text: sizeWords(value, base),
    role,
    isPickable: key === 'found' && value > 0,
    cells: [sizeWords(value, base)],
  })
  return withShares([
    part('found', 'Found', found, 'usage-ok'),
    part('rest', 'Not found', Math.max(0, total - found), 'border'),
  ])
}

/** Summary of the chart in a sentence. */
export const foundSummary = ({ files, folders, size }: FoundTotals, base: SizeBase): string =>
  `${counted(files.found, 'file')} and ${counted(folders.found, 'folder')} found: ${sizeWords(size.found, base)} of ${sizeWords(size.total, base)}, ${percentText(size.total > 0 ? size.found / size.total : 0)}`
