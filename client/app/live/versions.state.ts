import { proxy } from 'valtio'

/** How many times each topic has changed; `useRemote` reads again when a number moves. `all` is every topic at once. */
export const versions = proxy<Record<string, number>>({})

export const touch = (topic: string): void => {
  versions[topic] = (versions[topic] ?? 0) + 1
}
export const touchAll = (): void => touch('all')
