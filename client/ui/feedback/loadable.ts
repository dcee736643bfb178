/** Data that is loaded from elsewhere. A reload keeps the old data, and so does an error. */
export type Loadable<T> = {
  data: T | undefined
  error: Error | undefined
  loading: boolean
  retry: () => void
}
