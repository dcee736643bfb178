import type { ReactNode } from 'react'
import type { Loadable } from './feedback/loadable.ts'
import { RemoteContent } from './feedback/RemoteContent.tsx'
import { Panel } from './Panel.tsx'
import { Skeleton } from './feedback/Skeleton.tsx'

type CardProps<T> = {
  title: string
  /** Short text next to the title, such as a count. */
  note?: ReactNode
  actions?: ReactNode
  remote: Loadable<T>
  skeleton?: ReactNode
  /** Makes the card collapsible; the value is its initial state. */
  folds?: 'open' | 'closed'
  /** Without a header: the content has its own controls. */
  isBare?: boolean
  children: (data: T) => ReactNode
}

/** A block of a page. Shows its own loading state and error; `children` renders the data. */
export function Card<T>({ title, note, actions, remote, skeleton, folds, isBare = false, children }: CardProps<T>) {
  const { data, loading } = remote
  return (
    <Panel
      title={title}
      note={note}
      actions={actions}
      busy={loading}
      again={loading && data !== undefined}
      folds={folds}
      isBare={isBare}
    >
      <RemoteContent remote={remote} skeleton={<div className="inset">{skeleton ?? <Skeleton />}</div>}>
        {children}
      </RemoteContent>
    </Panel>
  )
}
