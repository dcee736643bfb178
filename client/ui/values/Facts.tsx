import type { ReactNode } from 'react'
import classes from './Facts.module.css'

/** A name and its value; `exact` is the tooltip. */
export type Fact = { name: string; text: string; exact?: string }
/** A fact whose value is an element, such as a badge or a link. */
export type DrawnFact = Omit<Fact, 'text'> & { text: ReactNode }

/** List of names and values, in columns if there is room. */
export function Facts({ facts }: { facts: DrawnFact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, text, exact }) => (
        <div className="row between line-bottom min-32 gap-12" key={name}>
          <dt>{name}</dt>
          <dd className="strong break right" title={exact}>
            {text}
          </dd>
        </div>
      ))}
    </dl>
  )
}
