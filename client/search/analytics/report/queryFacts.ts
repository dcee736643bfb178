import type { SearchFilters } from '#events/search/filters.ts'
import { chipTexts } from '#client/search/filters/chipTexts.ts'
import type { FilterName, FilterParams } from '#client/search/filters/filterNames.ts'
import type { NamedVolume } from '#client/search/analytics/fieldCards.ts'
import type { Fact } from './SearchReport.tsx'

/** The query, with the texts of the filter chips. */
export function queryFacts(filters: SearchFilters, volumes: readonly NamedVolume[]): Fact[] {
  const chips = chipTexts(paramsOf(filters), volumes).map(({ text }): Fact => {
    const [name = '', ...value] = text.split(': ')
    return [name, value.join(': ')]
  })
  const text: Fact[] = filters.search ? [['Search', filters.search]] : []
  const facts = [...text, ...chips]
  return facts.length > 0 ? facts : [['Search', 'All files']]
}

const paramsOf = (filters: SearchFilters): FilterParams =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]): [FilterName, string[]][] => {
      const values = [value ?? []].flat().map(String)
      return values.length > 0 ? [[name as FilterName, values]] : []
    }),
  )
