import { Size } from '#client/ui/values/Size.tsx'
import { counted } from '#client/ui/text/count.ts'
import type { Preview, RuleKind } from './useRulePreview.ts'

type RulePreviewTextProps = { kind: RuleKind; preview: Preview; rule: string; hasRules: boolean }

/** Effect of the rule that is being typed, or of all rules if there is no such rule. */
export function RulePreviewText(props: RulePreviewTextProps) {
  return (
    <p className="muted small break" aria-live="polite">
      <Sentence {...props} />
    </p>
  )
}

function Sentence({ kind, preview, rule, hasRules }: RulePreviewTextProps) {
  const { data, error, isCurrent } = preview
  if (data?.indexingDate === null) return 'There is no snapshot of this storage yet, so nothing can be previewed.'
  if (rule === '' && !hasRules) return null
  if (!isCurrent) return 'Looking into the newest snapshot…'
  if (error || !data) return error?.message
  const { indexingDate, files, folders, size } = data
  const what = rule === '' ? 'These paths' : rule
  if (files + folders === 0)
    return `${what}: nothing in the snapshot of ${indexingDate}. What its scan left out is not in it.`
  const found = [counted(files, 'file'), ...(kind === 'ignored' ? [counted(folders, 'folder')] : [])].join(' and ')
  return (
    <>
      {`${what}: ${found} of the snapshot of ${indexingDate}, `}
      <Size bytes={size} />
      {kind === 'foldersOnly' && '; their folders stay'}
    </>
  )
}
