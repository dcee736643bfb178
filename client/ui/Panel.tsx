import { type ReactNode, useId } from 'react'
import classes from './Card.module.css'

type PanelProps = {
  title: string
  /** A quiet word beside the title, such as a count. */
  note?: ReactNode
  actions?: ReactNode
  /** It is being read, and whether what was read before stands there meanwhile. */
  busy?: boolean
  again?: boolean
  children: ReactNode
}

/** One block of a page, under its title. */
export function Panel({ title, note, actions, busy = false, again = false, children }: PanelProps) {
  const id = useId()
  return (
    <section className={classes.card} aria-labelledby={id} aria-busy={busy}>
      {again && <div className={classes.again} aria-hidden />}
      <header className={classes.head}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {note && <span className={classes.note}>{note}</span>}
        <div className={classes.actions}>{actions}</div>
      </header>
      {children}
    </section>
  )
}
