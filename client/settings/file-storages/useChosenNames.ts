import type { MadePriceBook } from '../../parts/price-books/madePriceBooks.ts'
import { usePriceBooks } from '../../parts/price-books/usePriceBooks.ts'
import { useAgents, useCredentials } from './choices.ts'
import type { FileStorageFields } from './fileStorageFields.ts'

/** What is called what was chosen by its number; nothing while that is not known. */
export function useChosenNames({ agent, priceBook, credentials }: FileStorageFields, made: readonly MadePriceBook[]) {
  const { data: agentList } = useAgents()
  const { data: credentialList } = useCredentials()
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
