import { useSearchParams } from 'wouter'
import { type JobsAddress, readJobsAddress, withJobsAddress } from './jobsAddress.ts'

/** What the address says of the list, and how to change it: a step back undoes a change. */
export function useJobsAddress(): [JobsAddress, (change: Partial<JobsAddress>) => void] {
  const [search, setSearch] = useSearchParams()
  return [readJobsAddress(search), (change) => setSearch((params) => withJobsAddress(params, change))]
}
