import type { SearchFilters } from '#events/search/filters.ts'
import type { Volume } from '#events/snapshots.ts'
import type { SearchInput } from '#events/search/searched.ts'
import { readGroup } from '#events/search/string-format/criteriaText.ts'
import { printQuery } from '#events/search/string-format/printQuery.ts'
import { chipTexts } from './chipTexts.ts'
import type { FilterName, FilterParams } from './filterNames.ts'

/** A filter, or the conditions, and its value. */
export type Fact = readonly [name: string, value: string]

/** The query: the texts of the filter chips, or the conditions as text. */
export function queryFacts(searched: SearchInput, volumes: readonly Pick<Volume, 'id' | 'name'>[]): Fact[] {
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

/** Filters in the form of a URL. */
export const paramsOf = (filters: SearchFilters): FilterParams =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]): [FilterName, string[]][] => {
      const values = [value ?? []].flat().map(String)
      return values.length > 0 ? [[name as FilterName, values]] : []
    }),
  )
