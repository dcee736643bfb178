import { Criteria, type WrittenCriteria } from '#events/search/criteria.ts'
import { readInput } from '#events/contract/input.ts'

/** Conditions in the API's format, for files or for folders. */
export const toSearchCriteria = (criteria: string, isDirectory: boolean) =>
  ofKind(nodeOf(JSON.parse(criteria)), isDirectory)

/** Parsed conditions in the API's format, for files. */
export const criteriaOfFiles = (criteria: WrittenCriteria) => ofKind(criteria, false)

const ofKind = (node: unknown, isDirectory: boolean) => ({
  searchQueries: [{ isDirectory: { value: isDirectory } }],
  searchQueryNodes: [node],
})

const nodeOf = (read: unknown): unknown => (Array.isArray(read) ? { searchQueries: read } : read)

/** Error in the criteria of a URL. */
export function criteriaError(criteria: string): string | undefined {
  try {
    const [error] = readInput(Criteria, toSearchCriteria(criteria, false)).subErrors ?? []
    return error && `criteria: ${error.field.replace('searchQueryNodes.0.', '')} ${error.message}`
  } catch {
    return 'criteria must be JSON'
  }
}
