import { useSnapshot } from 'valtio'
import { Mark } from '../../ui/Mark.tsx'
import { productName } from '../../ui/productName.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { rail } from './rail.state.ts'
import header from './Header.module.css'
import navigation from './Rail.module.css'
import classes from './Shell.module.css'

/** The shape of the shell, while it is not known yet who is signed in; it shows itself only when that takes a moment. */
export function ShellFrame() {
  const { isPinned } = useSnapshot(rail)
  return (
    <div className={`${classes.shell} ${classes.frame}`} data-pinned={isPinned} aria-busy>
      <div className={navigation.rail} data-pinned={isPinned} aria-hidden>
        <div className={navigation.brand}>
          <Mark size={24} />
        </div>
      </div>
      <div className={classes.body}>
        <header className={header.header}>
          <h1 className={header.product}>{productName}</h1>
        </header>
        <main className={classes.main} aria-label="Loading">
          <Skeleton rows={8} isInset />
        </main>
      </div>
    </div>
  )
}
