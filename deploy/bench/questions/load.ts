import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Asker } from './asker.ts'
import { forgetConditions } from './forgetConditions.ts'
import type { Kind } from './kinds.ts'
import type { Samples } from './samples.ts'

/** What a kind took while others were asked. `refused` says why questions were not answered, and how often. */
export type Loaded = { kind: Kind; http: Samples; refused: Map<string, number> }

const clients = 8
const seconds = 60

/**
 * Eight clients at once, none of which pauses: half of them ask only what has to be quick, the others everything in turn,
 * each from another place of the list on.
 */
export async function measureLoad(kinds: Kind[], asker: Asker, clickhouse: ClickHouse): Promise<Loaded[]> {
  const loaded = kinds.map((kind) => ({ kind, http: [] as Samples, refused: new Map<string, number>() }))
  const until = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: clients }, (_, client) => {
      const mine = client % 2 === 0 ? loaded.filter(({ kind }) => kind.light) : loaded
      return askInTurn(mine, asker, client, until, () => forgetConditions(clickhouse))
    }),
  )
  return loaded
}

/** One variant of each kind after another, so that kinds with many variants are asked no more often. */
async function askInTurn(
  mine: Loaded[],
  asker: Asker,
  client: number,
  until: number,
  forget: () => Promise<void>,
): Promise<void> {
  for (let turn = client; performance.now() < until && mine.length > 0; turn++) {
    const { kind, http, refused } = mine[turn % mine.length] as Loaded
    const variant = kind.variants[Math.floor(turn / mine.length) % kind.variants.length]
    if (!kind.light) await forget()
    const { milliseconds, failure } = await asker.ask(variant?.paths ?? [])
    if (failure === undefined) http.push(milliseconds)
    else refused.set(failure, (refused.get(failure) ?? 0) + 1)
  }
}
