import type { ReactNode } from 'react'
import { Failure } from './Failure.tsx'
import type { Loadable } from './loadable.ts'
import { StaleNotice } from './StaleNotice.tsx'
import { Skeleton } from './Skeleton.tsx'

type RemoteContentProps<T> = { remote: Loadable<T>; skeleton?: ReactNode; children: (data: T) => ReactNode }

/** Renders loaded data, a skeleton or an error. Old data stays visible with a notice when a reload fails. */
export function RemoteContent<T>({
  remote: { data, error, loading, retry },
  skeleton,
  children,
}: RemoteContentProps<T>) {
  if (data === undefined)
    return error && !loading ? <Failure error={error} retry={retry} /> : (skeleton ?? <Skeleton />)
  return (
    <>
      {error && !loading && <StaleNotice error={error} retry={retry} />}
      {children(data)}
    </>
  )
}
