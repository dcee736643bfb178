import { useMemo } from 'react'
import { useQuery } from '../app/address.ts'
import { type SearchAddress, readSearchAddress, withSearchAddress } from './searchAddress.ts'

export type GoSearch = (change: Parameters<typeof withSearchAddress>[1]) => void

/** What the address asks for, and how to ask for something else: a step back undoes it. */
export function useSearchAddress(): [SearchAddress, GoSearch] {
  const [query, changeQuery] = useQuery()
  const text = query.toString()
  const address = useMemo(() => readSearchAddress(new URLSearchParams(text)), [text])
  const go: GoSearch = (change) =>
    changeQuery((query) => {
      const next = withSearchAddress(query, change)
      for (const name of new Set(query.keys())) query.delete(name)
      for (const [name, value] of next) query.append(name, value)
    })
  return [address, go]
}
