import type { ReactNode } from 'react'
import { usePageTitle } from './text/pageTitle.ts'
import classes from './Page.module.css'

type PageProps = {
  title: string
  /** Group of screens, which follows the title in the title of the browser's tab. */
  area?: string
  leading?: ReactNode
  actions?: ReactNode
  tabs?: ReactNode
  children: ReactNode
}

/** A screen with a sticky header of title and controls. */
export function Page({ title, area, leading, actions, tabs, children }: PageProps) {
  usePageTitle(title, ...(area ? [area] : []))
  return (
    <>
      <div className={classes.head}>
        <div className={classes.row}>
          <h1 className={classes.title}>{title}</h1>
          {leading}
          <div className="flex push one-line gap-8">{actions}</div>
        </div>
        {tabs}
      </div>
      <div className={classes.content}>{children}</div>
    </>
  )
}
