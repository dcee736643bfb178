import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Kind } from './kinds.ts'
import { forgetConditions, type QueryClient } from './queryClient.ts'

/** Times of a kind under load. `refused` counts the reasons of failed queries. */
export type LoadTimes = { kind: Kind; http: number[]; refused: Map<string, number> }

const clientCount = 8
const seconds = 60

/**
 * Runs eight clients without pauses: half of them only send light queries, the others all queries in turn, each
 * starting at another one.
 */
export async function measureLoad(kinds: Kind[], client: QueryClient, clickhouse: ClickHouse): Promise<LoadTimes[]> {
  const loaded = kinds.map((kind) => ({ kind, http: [] as number[], refused: new Map<string, number>() }))
  const until = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: clientCount }, (_, index) => {
      const kindsInTurn = index % 2 === 0 ? loaded.filter(({ kind }) => kind.light) : loaded
      return queryInTurn(kindsInTurn, client, index, until, () => forgetConditions(clickhouse))
    }),
  )
  return loaded
}

/** Sends one variant of each kind in turn, so that kinds with many variants are not queried more often. */
async function queryInTurn(
  kindsInTurn: LoadTimes[],
  client: QueryClient,
  start: number,
  until: number,
  forget: () => Promise<void>,
): Promise<void> {
  for (let turn = start; performance.now() < until && kindsInTurn.length > 0; turn++) {
    const { kind, http, refused } = kindsInTurn[turn % kindsInTurn.length] as LoadTimes
    const variant = kind.variants[Math.floor(turn / kindsInTurn.length) % kind.variants.length]
    if (!kind.light) await forget()
    const { milliseconds, failure } = await client.ask(variant?.paths ?? [])
    if (failure === undefined) http.push(milliseconds)
    else refused.set(failure, (refused.get(failure) ?? 0) + 1)
  }
}
