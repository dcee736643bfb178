import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePanel } from './usePanel.ts'
import classes from './Files.module.css'

/** Content of a folder with a details panel. */
export function DetailsLayout({ details, children }: { details: ReactNode; children: ReactNode }) {
  const { isNarrow, isOpen, open } = usePanel()
  const isBeside = isOpen && !isNarrow
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
      <Drawer
        opened={isNarrow && isOpen}
        onClose={() => open(false)}
        position="right"
        title="Details"
        closeButtonProps={{ 'aria-label': 'Close the details' }}
        classNames={{ body: classes.drawer }}
      >
        {details}
      </Drawer>
    </div>
  )
}
