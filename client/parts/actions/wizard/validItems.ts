import { useMemo } from 'react'
import type { EntrySummary } from '#events/entries.ts'
import type { Volume } from '#events/snapshots.ts'
import type { ActionTarget } from '#client/parts/selection/action.ts'
import { entryKey, outermost, type SelectionTotals, summaryOf } from '#client/parts/selection/selection.ts'
import { useVolumesAt } from '#client/parts/storages/useVolumes.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { type AcceptedVolumes, useAcceptedTotals } from './searchTotals.ts'

/** Items that an action accepts. The others of a selection are ignored. */
export type ItemRule = {
  /** True for a storage whose items are accepted. */
  acceptsVolume: (volume: Volume) => boolean
  /** Folders are ignored. */
  onlyFiles?: boolean
  /** Sentence that states the rule. */
  text: string
}

/** Accepted and ignored items of a selection. */
export type ValidItems = {
  /** Accepted listed entries, without those inside an accepted folder; none for a search. */
  entries: readonly EntrySummary[]
  valid: SelectionTotals
  ignored: SelectionTotals
}

/** Splits a selection by a rule. Without a rule, such as while mappings load, nothing is known yet. */
export function useValidItems(target: ActionTarget, rule: ItemRule | undefined): Loadable<ValidItems> {
  const volumes = useVolumesAt(target.indexingDate)
  const accepted = rule && volumes.data && acceptedBy(rule, volumes.data.elements)
  const ids = accepted?.ids.join() ?? ''
  const onlyFiles = accepted?.onlyFiles ?? false
  const listed = useMemo(() => splitEntries(target.entries, ids, onlyFiles), [target, ids, onlyFiles])
  const found = useAcceptedTotals(target, accepted)
  const { error, loading, retry } = volumes
  if (!accepted) return { data: undefined, error, loading, retry }
  if ('entries' in target.selection) return { data: listed, error: undefined, loading: false, retry }
  const data = found && { entries: [], valid: found, ignored: minus(target.totals, found) }
  return { data, error: undefined, loading: !data, retry }
}

const acceptedBy = ({ acceptsVolume, onlyFiles = false }: ItemRule, volumes: readonly Volume[]): AcceptedVolumes => {
  const ids = volumes.filter(acceptsVolume).map(({ id }) => id)
  return { ids, areAll: ids.length === volumes.length, onlyFiles }
}

function splitEntries(entries: readonly EntrySummary[], volumeIds: string, onlyFiles: boolean): ValidItems {
  const accepted = new Set(volumeIds.split(',').map(Number))
  const isValid = ({ volumeId, isDirectory }: EntrySummary) => accepted.has(volumeId) && !(onlyFiles && isDirectory)
  const valid = keyed(entries.filter(isValid))
  const ignored = keyed(entries.filter((entry) => !isValid(entry)))
  return {
    entries: outermost(valid),
    valid: summaryOf({ all: undefined, chosen: valid }),
    ignored: summaryOf({ all: undefined, chosen: ignored }),
  }
}

const keyed = (entries: readonly EntrySummary[]) => new Map(entries.map((entry) => [entryKey(entry), entry]))

const minus = (whole: SelectionTotals, part: SelectionTotals): SelectionTotals => ({
  count: Math.max(0, whole.count - part.count),
  size: Math.max(0, whole.size - part.size),
})
