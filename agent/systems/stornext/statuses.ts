import { listOf, numberOf, propertyOf, textOf } from './unconfirmed.ts'

/** Problems in the statuses of a response, in the server's own words. */
export type Problems = {
  /** By the path of a file. */
  ofFiles: Map<string, string>
  /** Problem of the whole command; '' for none. */
  general: string
}

/** Numbers of successes that may come with another `commandStatus`. */
const successNumbers = [347, 355, 390]

/** Problems of files, which are named inside texts. Of several files in one text, the longest path counts. */
export function problemsIn(response: unknown, paths: string[]): Problems {
  const ofFiles = new Map<string, string>()
  const general: string[] = []
  for (const text of problemTexts(response)) {
    const named = paths.filter((path) => text.includes(path))
    const [path] = named.sort((a, b) => b.length - a.length)
    if (path === undefined) general.push(text)
    else ofFiles.set(path, ofFiles.get(path) ?? text)
  }
  return { ofFiles, general: general[0] ?? '' }
}

function problemTexts(response: unknown): string[] {
  return statusLists(response)
    .flat()
    .filter((status) => !/^completed$/i.test(textOf(propertyOf(status, 'commandStatus'))))
    .filter((status) => !successNumbers.includes(numberOf(propertyOf(status, 'statusNumber'))))
    .map((status) => textOf(propertyOf(status, 'statusText')) || `status ${textOf(propertyOf(status, 'statusCode'))}`)
}

/** Lists with the name `statuses`, anywhere in a response. */
function statusLists(response: unknown): unknown[][] {
  if (typeof response !== 'object' || response === null) return []
  const own = propertyOf(response, 'statuses')
  return own === undefined ? Object.values(response).flatMap(statusLists) : [listOf(own)]
}

/** True for the response of a command. */
export const hasStatuses = (response: unknown): boolean => statusLists(response).length > 0
