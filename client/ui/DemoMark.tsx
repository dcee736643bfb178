import classes from './DemoMark.module.css'

/** Password of `admin` if the server has the made-up data of a demo; '' in the product itself. */
export const demoPassword = (): string => document.querySelector('meta[name="demo"]')?.getAttribute('content') ?? ''

/** Marks a screen of a demo; nothing in the product itself. */
export function DemoMark() {
  if (demoPassword() === '') return null
  return (
    <strong
      className={classes.mark}
      title="All data is made up, other systems such as P5 are simulated, and nothing is sent."
    >
      Demo
    </strong>
  )
}
