import type { ReactNode } from 'react'
import { onDemand } from '#client/ui/onDemand.tsx'
import { useOpened } from '#client/parts/entry-details/entryDetails.state.ts'
import { usePanel } from './usePanel.ts'
import classes from './Files.module.css'

const DetailsDrawer = onDemand(
  () => import('./DetailsDrawer.tsx').then((m) => m.DetailsDrawer),
  ({ opened }) => opened,
)

/** Content of a folder with a details panel. */
export function DetailsLayout({ details, children }: { details: ReactNode; children: ReactNode }) {
  const { isNarrow, isOpen, open } = usePanel()
  // The details of an entry take the same place.
  const isCovered = useOpened() !== undefined
  const isBeside = isOpen && !isNarrow && !isCovered
  return (
    <div className={classes.sides} data-panel={isBeside}>
      <section className={classes.content} aria-label="Content of the folder">
        {children}
      </section>
      {isBeside && (
        <aside className={classes.panel} aria-label="Details">
          {details}
        </aside>
      )}
      <DetailsDrawer opened={isNarrow && isOpen} onClose={() => open(false)}>
        {details}
      </DetailsDrawer>
    </div>
  )
}
