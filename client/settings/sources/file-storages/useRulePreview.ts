import { useDebouncedValue } from '@mantine/hooks'
import { type RulePreview, rulePreview } from '#events/sources/rulePreview.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

export type RuleKind = 'ignored' | 'foldersOnly'
/** `isCurrent`: it is of the rules as they stand, not of those before. */
export type Preview = Loadable<RulePreview> & { isCurrent: boolean }

/** A rule is previewed once nothing was typed for so long. */
const debounceMs = 400

/** What rules would leave out of the newest snapshot of a storage; nothing is read without one. */
export function useRulePreview(volumeId: number | undefined, kind: RuleKind, rules: string[]): Preview {
  const now = rules.join('\n')
  const [debounced] = useDebouncedValue(now, debounceMs)
  const written = debounced.split('\n').filter((rule) => rule !== '')
  const input = volumeId === undefined ? undefined : { body: { volumeId, kind, rules: written } }
  const preview = useRemote(rulePreview, input, 'snapshots')
  return { ...preview, isCurrent: debounced === now && !preview.loading }
}
