import { useDebouncedValue } from '@mantine/hooks'
import { type RulePreview, rulePreview } from '#events/scans/rulePreview.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

export type RuleKind = 'ignored' | 'foldersOnly'
/** `isCurrent` is false while the preview is of earlier rules. */
export type Preview = Loadable<RulePreview> & { isCurrent: boolean }

/** Milliseconds without typing until a rule is previewed. */
const debounceMs = 400

/** Previews the effect of rules on the newest snapshot of a storage; sends no request without a storage. */
export function useRulePreview(volumeId: number | undefined, kind: RuleKind, rules: string[]): Preview {
  const now = rules.join('\n')
  const [debounced] = useDebouncedValue(now, debounceMs)
  const written = debounced.split('\n').filter((rule) => rule !== '')
  const input = volumeId === undefined ? undefined : { body: { volumeId, kind, rules: written } }
  const preview = useRemote(rulePreview, input, 'snapshots')
  return { ...preview, isCurrent: debounced === now && !preview.loading }
}
