import { agents } from '#events/agents.ts'
import { networkCredentials } from '#events/network-volumes.ts'
import { useRemote } from '../../app/remote.ts'
import type { MadePriceBook } from '../../parts/price-books/madePriceBooks.ts'
import { usePriceBooks } from '../../parts/price-books/usePriceBooks.ts'
import type { FileStorageFields } from './fileStorageFields.ts'

const byName = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const

/** What is called what was chosen by its number; nothing while that is not known. */
export function useChosenNames({ agent, priceBook, credentials }: FileStorageFields, made: readonly MadePriceBook[]) {
  const { data: agentList } = useRemote(agents.list, { query: byName }, 'agents')
  const { data: credentialList } = useRemote(networkCredentials.list, { query: byName }, 'networkCredentials')
  const { data: books } = usePriceBooks({ field: 'description', direction: 'asc' })
  const isChosen =
    (word: string) =>
    ({ id }: { id: number }) =>
      String(id) === word
  return {
    agent: agentList?.elements.find(isChosen(agent))?.name,
    credentials: credentials === '' ? 'Guest' : credentialList?.elements.find(isChosen(credentials))?.name,
    priceBook: [...(books?.elements ?? []), ...made].find(isChosen(priceBook))?.description,
  }
}
