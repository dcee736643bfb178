import type { Fact } from './detailFacts.ts'
import classes from './Volume.module.css'

/** Names and what is known of them, in columns where there is room. */
export function Facts({ facts }: { facts: Fact[] }) {
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
