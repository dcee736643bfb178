import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useId } from 'react'
import { JsonTree } from './JsonTree.tsx'
import classes from './JsonPane.module.css'

/** A document as it is, foldable, with the way to take it along; null is none. `name` is what it is a document of. */
export function JsonPane({ title, name, value }: { title: string; name: string; value: unknown }) {
  const id = useId()
  return (
    <section className={classes.pane} aria-labelledby={id}>
      <header className={classes.head}>
        <h3 id={id} className={classes.title}>
          {title}
        </h3>
        {value !== null && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconExternalLink size={14} stroke={1.5} aria-hidden />}
            aria-label={`Export ${name}`}
            onClick={() => exportJson(value)}
          >
            Export
          </Button>
        )}
      </header>
      <div className={classes.document}>
        {value === null ? <p className={classes.none}>{`No ${title.toLowerCase()}`}</p> : <JsonTree value={value} />}
      </div>
    </section>
  )
}

/** How long the file can be saved from the window that it opened in, in milliseconds. */
const keptForMs = 10 * 60_000

/** Opens a document in a window of its own, where it can be read and saved. */
function exportJson(value: unknown) {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
  window.open(address, '_blank', 'noopener')
  setTimeout(() => URL.revokeObjectURL(address), keptForMs)
}
