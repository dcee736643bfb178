import { counted } from '#client/ui/text/count.ts'

/** Number of path rules; their paths are in the tooltip. */
export function RulesCell({ rules }: { rules: { path: string }[] }) {
  if (rules.length === 0) return <span className="faint">None</span>
  return (
    <span title={rules.map(({ path }) => path).join('\n')}>
      {rules.length === 1 ? rules[0]?.path : counted(rules.length, 'path')}
    </span>
  )
}
