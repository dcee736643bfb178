import { createContext, type ReactNode, useContext } from 'react'
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

/** Line next to the title of each screen: what its figures are limited to. */
export const PageNote = createContext<ReactNode>(undefined)

/** A screen with a sticky header of title and controls. */
export function Page({ title, area, leading, actions, tabs, children }: PageProps) {
  usePageTitle(title, ...(area ? [area] : []))
  return (
    <>
      <div className={classes.head}>
        <div className={classes.row}>
          <h1 className={classes.title}>{title}</h1>
          {leading}
          {useContext(PageNote)}
          <div className="flex push one-line gap-8">{actions}</div>
        </div>
        {tabs}
      </div>
      <div className={classes.content}>{children}</div>
    </>
  )
}
