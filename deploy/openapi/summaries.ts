import type { Endpoint } from '#events/contract/endpoint.ts'
import { administrationSummaries } from './words/administration.ts'
import { fileSummaries } from './words/files.ts'
import { storageSummaries } from './words/storages.ts'
import { systemSummaries } from './words/systems.ts'
import { workSummaries } from './words/work.ts'

const groups: Record<string, Record<string, string>> = {
  ...fileSummaries,
  ...storageSummaries,
  ...workSummaries,
  ...systemSummaries,
  ...administrationSummaries,
}

/** Calls with a summary, as method and path. */
export const summarized = Object.values(groups).flatMap((calls) => Object.keys(calls))

export const callName = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`

/** Name of a call in the API reference and on the command line: `getV1JobsId`. */
export const operationId = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  `${method.toLowerCase()}${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`

/** Summary of a call in one sentence. Throws if it has none. */
export const summaryOf = (endpoint: Endpoint): string => groups[groupOf(endpoint)]?.[callName(endpoint)] ?? ''

/** Group of a call in the documentation. Throws if it has none. */
export function groupOf(endpoint: Endpoint): string {
  const group = Object.keys(groups).find((name) => groups[name]?.[callName(endpoint)] !== undefined)
  if (group === undefined) throw new Error(`${callName(endpoint)} has no summary in deploy/openapi/words`)
  return group
}
