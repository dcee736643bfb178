import type { ReactNode } from 'react'
import classes from './Facts.module.css'

/** What is known of something, by name; `exact` is what a hover says. */
export type Fact = { name: string; text: string; exact?: string }
/** Likewise, with a badge, a link or the like. */
export type DrawnFact = Omit<Fact, 'text'> & { text: ReactNode }

/** Names and what is known of them, in columns where there is room. */
export function Facts({ facts }: { facts: DrawnFact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, text, exact }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={exact}>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
