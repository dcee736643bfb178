import type { SearchFilters } from '#events/search/filters.ts'
import type { SearchInput } from '#events/search/searched.ts'
import { readGroup } from '#events/search/string-format/criteriaText.ts'
import { printQuery } from '#events/search/string-format/printQuery.ts'
import { chipTexts } from '#client/search/filters/chipTexts.ts'
import type { FilterName, FilterParams } from '#client/search/filters/filterNames.ts'
import type { NamedVolume } from '#client/search/analytics/fieldCards.ts'
import type { Fact } from './SearchReport.tsx'

/** The query: the texts of the filter chips, or the conditions as text. */
export function queryFacts(searched: SearchInput, volumes: readonly NamedVolume[]): Fact[] {
  if ('criteria' in searched) {
    const text = printQuery(readGroup(JSON.stringify(searched.criteria)), volumes)
    return [text === '' ? allFiles : ['Conditions', text]]
  }
  const { filters } = searched
  const chips = chipTexts(paramsOf(filters), volumes).map(({ text }): Fact => {
    const [name = '', ...value] = text.split(': ')
    return [name, value.join(': ')]
  })
  const text: Fact[] = filters.search ? [['Search', filters.search]] : []
  const facts = [...text, ...chips]
  return facts.length > 0 ? facts : [allFiles]
}

const allFiles: Fact = ['Search', 'All files']

const paramsOf = (filters: SearchFilters): FilterParams =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]): [FilterName, string[]][] => {
      const values = [value ?? []].flat().map(String)
      return values.length > 0 ? [[name as FilterName, values]] : []
    }),
  )
