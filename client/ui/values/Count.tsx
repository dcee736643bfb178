import { countText } from '#client/ui/text/count.ts'

/** A grouped number with its noun in the secondary color. */
export function Count({ of, one, many }: { of: number; one?: string; many?: string }) {
  const word = one && (Math.round(of) === 1 ? one : (many ?? `${one}s`))
  return (
    <span className="nowrap">
      {countText(of)}
      {word && <span className="muted"> {word}</span>}
    </span>
  )
}
