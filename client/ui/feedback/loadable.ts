/** What is read from elsewhere: old data stays while it is read again, and a failure stands beside it. */
export type Loadable<T> = {
  data: T | undefined
  error: Error | undefined
  loading: boolean
  retry: () => void
}
