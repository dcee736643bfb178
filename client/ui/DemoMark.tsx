import classes from './DemoMark.module.css'

/** True if the server has the made-up data of a demo. It says so in every page. */
const isDemo = (): boolean => document.querySelector('meta[name="demo"]')?.getAttribute('content') === 'true'

/** Marks a screen of a demo; nothing in the product itself. */
export function DemoMark() {
  if (!isDemo()) return null
  return (
    <strong className={classes.mark} title="All data is made up, and nothing is sent.">
      Demo
    </strong>
  )
}
