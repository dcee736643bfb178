import { lazy, Suspense } from 'react'
import { useEverOpen } from '#client/ui/useEverOpen.ts'
import type { FilterFieldsProps } from './FilterFields.tsx'
import classes from './FilterCard.module.css'

const FilterFields = lazy(() => import('./FilterFields.tsx').then((m) => ({ default: m.FilterFields })))

/**
 * All filters of the search. The inputs are loaded when the card is first opened, since they would take most of the time of every
 * search.
 */
export function FilterCard({ isOpen, ...props }: FilterFieldsProps & { isOpen: boolean }) {
  const wasOpen = useEverOpen(isOpen)
  return (
    <section className={classes.card} aria-label="Filters" hidden={!isOpen}>
      {wasOpen && (
        <Suspense fallback={null}>
          <FilterFields {...props} />
        </Suspense>
      )}
    </section>
  )
}
