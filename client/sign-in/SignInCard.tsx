import type { ReactNode } from 'react'
import { DemoMark } from '#client/ui/DemoMark.tsx'
import { Logo } from '#client/ui/Logo.tsx'
import classes from './SignInPage.module.css'

/** Centered card of a page without a shell. */
export function SignInCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Logo size={32} />
          <h1>{title}</h1>
          <DemoMark />
        </div>
        {children}
      </div>
    </main>
  )
}
