import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { type SearchAddress, readSearchAddress, withSearchAddress } from './searchAddress.ts'

export type GoSearch = (change: Parameters<typeof withSearchAddress>[1]) => void

/** What the address asks for, and how to ask for something else: a step back undoes it. */
export function useSearchAddress(): [SearchAddress, GoSearch] {
  const [search, setSearch] = useSearchParams()
  const address = useMemo(() => readSearchAddress(search), [search])
  return [address, (change) => setSearch((params) => withSearchAddress(params, change))]
}
