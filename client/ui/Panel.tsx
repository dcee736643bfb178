import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { ReloadLine } from './feedback/ReloadLine.tsx'
import classes from './Card.module.css'

type PanelProps = {
  title: string
  /** A quiet word beside the title, such as a count. */
  note?: ReactNode
  actions?: ReactNode
  /** It is being read, and whether what was read before stands there meanwhile. */
  busy?: boolean
  again?: boolean
  /** Its content can be put away under the title; how it begins. */
  folds?: 'open' | 'closed' | undefined
  children: ReactNode
}

/** One block of a page, under its title. */
export function Panel({ title, note, actions, busy = false, again = false, folds, children }: PanelProps) {
  const id = useId()
  const [open, setOpen] = useState(folds !== 'closed')
  return (
    <section className={classes.card} aria-labelledby={id} aria-busy={busy}>
      {again && <ReloadLine />}
      <header className={classes.head}>
        <h2 id={id} className={classes.title}>
          {folds ? (
            <button type="button" className={classes.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
              <IconChevronRight size={16} stroke={1.5} aria-hidden />
              {title}
            </button>
          ) : (
            title
          )}
        </h2>
        {note && <span className={classes.note}>{note}</span>}
        <div className={classes.actions}>{actions}</div>
      </header>
      {open && children}
    </section>
  )
}
