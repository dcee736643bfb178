import type { ReactNode } from 'react'
import type { Loadable } from './feedback/loadable.ts'
import { RemoteContent } from './feedback/RemoteContent.tsx'
import { Panel } from './Panel.tsx'
import { Skeleton } from './feedback/Skeleton.tsx'
import classes from './Card.module.css'

type CardProps<T> = {
  title: string
  /** A quiet word beside the title, such as a count. */
  note?: ReactNode
  actions?: ReactNode
  remote: Loadable<T>
  skeleton?: ReactNode
  /** Its content can be put away under the title; how it begins. */
  folds?: 'open' | 'closed'
  children: (data: T) => ReactNode
}

/** One block of a page. It draws its own loading and failure; `children` draws the data. */
export function Card<T>({ title, note, actions, remote, skeleton, folds, children }: CardProps<T>) {
  const { data, loading } = remote
  return (
    <Panel
      title={title}
      note={note}
      actions={actions}
      busy={loading}
      again={loading && data !== undefined}
      folds={folds}
    >
      <RemoteContent remote={remote} skeleton={<div className={classes.loading}>{skeleton ?? <Skeleton />}</div>}>
        {children}
      </RemoteContent>
    </Panel>
  )
}
