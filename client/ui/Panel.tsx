import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { ReloadLine } from './feedback/ReloadLine.tsx'
import classes from './Card.module.css'

type PanelProps = {
  title: string
  /** Short text next to the title, such as a count. */
  note?: ReactNode
  actions?: ReactNode
  /** Loading. `again` means that earlier data is still shown. */
  busy?: boolean
  again?: boolean
  /** Makes the panel collapsible; the value is its initial state. */
  folds?: 'open' | 'closed' | undefined
  /** Without a header: the content has its own controls. */
  isBare?: boolean
  children: ReactNode
}

/** A titled block of a page. */
export function Panel({
  title,
  note,
  actions,
  busy = false,
  again = false,
  folds,
  isBare = false,
  children,
}: PanelProps) {
  const id = useId()
  const [open, setOpen] = useState(folds !== 'closed')
  return (
    <section
      className="stack shrink panel relative"
      {...(isBare ? { 'aria-label': title } : { 'aria-labelledby': id })}
      aria-busy={busy}
      data-waiting={(busy && !again) || undefined}
    >
      {again && <ReloadLine />}
      {!isBare && (
        <header className={classes.head}>
          <h2 id={id} className="heading nowrap">
            {folds ? (
              <button type="button" className={classes.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
                <IconChevronRight size={16} stroke={1.5} aria-hidden />
                {title}
              </button>
            ) : (
              title
            )}
          </h2>
          {note && <span className="muted small">{note}</span>}
          <div className="flex wrap push gap-8">{actions}</div>
        </header>
      )}
      {open && children}
    </section>
  )
}
