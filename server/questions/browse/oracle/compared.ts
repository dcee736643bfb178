import type { KnownEntry } from '#server/questions/search/oracle/known.ts'

/** Each entry with its previous state, by a direct implementation of the rules. */
export function compared(
  now: KnownEntry[],
  before: KnownEntry[],
): { entry: KnownEntry; size: number; delta: number | null; was: 'created' | 'removed' | '' }[] {
  const then = new Map(before.map((entry) => [keyOf(entry), entry]))
  const here = new Set(now.map(keyOf))
  const kept = now.map((entry) => {
    const old = then.get(keyOf(entry))
    const isKnown = entry.row.size >= 0 && (old === undefined || old.row.size >= 0)
    const delta = isKnown ? entry.row.size - (old?.row.size ?? 0) : null
    return { entry, size: entry.row.size, delta, was: old ? '' : 'created' } as const
  })
  const gone = before
    .filter((entry) => !here.has(keyOf(entry)))
    .map((entry) => ({
      entry,
      size: -1,
      delta: entry.row.size < 0 ? null : 0 - entry.row.size,
      was: 'removed' as const,
    }))
  return [...kept, ...gone]
}

const keyOf = ({ volumeId, key }: KnownEntry) => `${volumeId} ${key}`
