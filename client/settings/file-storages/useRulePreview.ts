import { useDebouncedValue } from '@mantine/hooks'
import { type RulePreview, rulePreview } from '#events/rule-preview.ts'
import { useRemote } from '../../app/remote.ts'
import type { Loadable } from '../../ui/loadable.ts'

export type RuleKind = 'ignored' | 'foldersOnly'
/** `isCurrent`: it is of the rules as they stand, not of those before. */
export type Preview = Loadable<RulePreview> & { isCurrent: boolean }

/** How long the writing of a rule pauses before it is asked what it means, in milliseconds. */
const pause = 400

/** What rules would leave out of the newest snapshot of a storage. */
export function useRulePreview(volumeId: number, kind: RuleKind, rules: string[]): Preview {
  const now = rules.join('\n')
  const [asked] = useDebouncedValue(now, pause)
  const body = { volumeId, kind, rules: asked.split('\n').filter((rule) => rule !== '') }
  const preview = useRemote(rulePreview, { body }, 'snapshots')
  return { ...preview, isCurrent: asked === now && !preview.loading }
}
