import { Criteria } from '#events/search/criteria.ts'
import { readInput } from '#events/contract/input.ts'

/** Conditions as the server takes them, of files or folders alone. */
export const toSearchCriteria = (criteria: string, isDirectory: boolean) => ({
  searchQueries: [{ isDirectory: { value: isDirectory } }],
  searchQueryNodes: [nodeOf(JSON.parse(criteria))],
})

const nodeOf = (read: unknown): unknown => (Array.isArray(read) ? { searchQueries: read } : read)

/** What is wrong with conditions as an address has them. */
export function criteriaError(criteria: string): string | undefined {
  try {
    const [error] = readInput(Criteria, toSearchCriteria(criteria, false)).subErrors ?? []
    return error && `criteria: ${error.field.replace('searchQueryNodes.0.', '')} ${error.message}`
  } catch {
    return 'criteria must be JSON'
  }
}
