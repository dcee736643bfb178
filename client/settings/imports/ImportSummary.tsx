import type { ImportRecord } from '#events/imports/imports.ts'
import { counted } from '#client/ui/text/count.ts'
import { changeWords } from '#client/ui/text/change.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'

type Reason = NonNullable<ImportRecord['comparison']>['differences'][number]['reason']

const reasons: Record<Reason, string> = {
  hardLinks: 'Hard links, counted once by one and for each name by the other',
  apparentSize: 'Sizes on disk instead of lengths',
  units: 'Rounded to the unit of the file',
  excluded: 'Left out by the other tool',
  unreadable: 'Could not be read by one of them',
  onlyHere: 'Only in the import',
  onlyThere: 'Only in the scan',
  changed: 'Files with another size',
  unexplained: 'Not explained',
}

/** The fields that an import lacks, and why its total differs from that of the newest scan. */
export function ImportSummary({ record: { missing, unreadableLines, comparison } }: { record: ImportRecord }) {
  const base = useSizeBase()
  return (
    <>
      {missing.length > 0 && <p>The file has no {missing.join(', ')}. They stay unknown.</p>}
      {unreadableLines.count > 0 && (
        <details>
          <summary>{counted(unreadableLines.count, 'line')} could not be read</summary>
          <ul>
            {unreadableLines.lines.map(({ line, reason }, at) => (
              <li key={at}>
                {line > 0 && `Line ${line} `}
                {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      {comparison && (
        <>
          <p>
            {changeWords(comparison.total, base)} against the scan of {comparison.scannedOn}
          </p>
          <ul>
            {comparison.differences.map(({ reason, files, bytes }) => (
              <li key={reason}>
                {reasons[reason]}: {changeWords(bytes, base)}
                {files > 0 && `, ${counted(files, 'file')}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
