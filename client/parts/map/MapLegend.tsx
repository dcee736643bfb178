import type { CSSProperties } from 'react'
import { colour } from '#client/ui/theme/roles.ts'
import { Size } from '#client/ui/values/Size.tsx'
import type { Category } from './colouring.ts'
import classes from './Map.module.css'

type MapLegendProps = {
  categories: readonly Category[]
  picked: readonly string[]
  /** Explanation of the colors. */
  note: string | undefined
  onPick: (picked: readonly string[]) => void
}

/** Legend of the colors. Selecting categories dims the others. */
export function MapLegend({ categories, picked, note, onPick }: MapLegendProps) {
  const toggle = (key: string) => onPick(picked.includes(key) ? picked.filter((one) => one !== key) : [...picked, key])
  return (
    <fieldset className={classes.legend} aria-label="Show only">
      {categories.map(({ key, label, role, size }) => (
        <button
          key={key}
          type="button"
          className={classes.category}
          aria-pressed={picked.includes(key)}
          data-dimmed={picked.length > 0 && !picked.includes(key)}
          style={{ '--of': colour(role) } as CSSProperties}
          onClick={() => toggle(key)}
        >
          <span className={classes.swatch} aria-hidden />
          {label}
          {size > 0 && (
            <span className="muted small">
              <Size bytes={size} />
            </span>
          )}
        </button>
      ))}
      {picked.length > 0 && (
        <button type="button" className={classes.clear} onClick={() => onPick([])}>
          Show all
        </button>
      )}
      {note && <p className={classes.about}>{note}</p>}
    </fieldset>
  )
}
