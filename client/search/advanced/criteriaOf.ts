import { Criteria } from '#events/criteria.ts'
import { readInput } from '#events/input.ts'
import type { ListKind } from '../listKind.ts'

/** Conditions as the server takes them, of files or folders alone. */
export const ofKind = (criteria: string, list: ListKind) => ({
  searchQueries: [{ isDirectory: { value: list === 'folders' } }],
  searchQueryNodes: [nodeOf(JSON.parse(criteria))],
})

const nodeOf = (read: unknown): unknown => (Array.isArray(read) ? { searchQueries: read } : read)

/** What is wrong with conditions as an address has them. */
export function faultOfCriteria(criteria: string): string | undefined {
  try {
    const [fault] = readInput(Criteria, ofKind(criteria, 'files')).subErrors ?? []
    return fault && `criteria: ${fault.field.replace('searchQueryNodes.0.', '')} ${fault.message}`
  } catch {
    return 'criteria must be JSON'
  }
}

/** Some proxies refuse longer addresses than 8 KiB on their way; the rest of one has its room too. */
const longest = 7_500

/** Whether conditions are too long for an address, in which letters beyond Latin are up to nine times as long. */
export const isTooLong = (criteria: string): boolean => new URLSearchParams({ criteria }).toString().length > longest
