import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useId } from 'react'
import { JsonTree } from './JsonTree.tsx'
import classes from './JsonPane.module.css'

/** Collapsible JSON with an export button; null shows an empty state. `name` is part of the button's label. */
export function JsonPane({ title, name, value }: { title: string; name: string; value: unknown }) {
  const id = useId()
  return (
    <section className="shrink bordered radius-6" aria-labelledby={id}>
      <header className={classes.head}>
        <h3 id={id} className="truncate strong">
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

/** After this time the exported document can no longer be saved from its window, in milliseconds. */
const keptForMs = 10 * 60_000

/** Opens a document in a new window, where it can be read and saved. */
function exportJson(value: unknown) {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
  window.open(address, '_blank', 'noopener')
  setTimeout(() => URL.revokeObjectURL(address), keptForMs)
}
