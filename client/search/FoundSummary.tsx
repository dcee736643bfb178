import { Count } from '../ui/Count.tsx'
import { Size } from '../ui/Size.tsx'
import type { FoundResults } from './useFound.ts'
import classes from './SearchPage.module.css'

/** How much was found: of files also their size. */
export function FoundSummary({ results, hasSize }: { results: FoundResults; hasSize: boolean }) {
  const { list, found, totals } = results
  const count = list === 'folders' ? found.data?.total : (totals.data?.count ?? found.data?.total)
  return (
    <output className={classes.found} aria-label="Found">
      {count !== undefined && (
        <Count
          of={count}
          one={list === 'folders' ? 'folder' : 'file'}
          many={list === 'folders' ? 'folders' : 'files'}
        />
      )}
      {hasSize && totals.data && (
        <span>
          <Size bytes={totals.data.size} />
        </span>
      )}
    </output>
  )
}
