import { proxy } from 'valtio'

/** Number of changes by topic; `useRemote` fetches again when one increases. The key `all` counts for every topic. */
export const versions = proxy<Record<string, number>>({})

export const touch = (topic: string): void => {
  versions[topic] = (versions[topic] ?? 0) + 1
}
export const touchAll = (): void => touch('all')
