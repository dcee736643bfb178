import { useSnapshot } from 'valtio'
import { Logo } from '#client/ui/Logo.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { productName } from '#client/ui/productName.ts'
import { rail } from './rail/rail.state.ts'
import header from './header/Header.module.css'
import navigation from './rail/Rail.module.css'
import classes from './Shell.module.css'

/** Placeholder of the shell while the session loads. Appears only after a delay. */
export function ShellFrame() {
  const { isPinned } = useSnapshot(rail)
  return (
    <div className={`${classes.shell} appear`} data-pinned={isPinned} aria-busy>
      <div className={navigation.rail} data-pinned={isPinned} aria-hidden>
        <div className={navigation.brand}>
          <Logo size={24} />
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
