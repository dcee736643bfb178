import { subjects } from '#events/subjects.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { answerOrders, type Print } from '#server/platform/nats/answerOrders.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { resultOf } from './damage.ts'
import { scrubClickHouse } from './scrubClickHouse.ts'
import { scrubPostgres } from './scrubPostgres.ts'

/** Reads all data of both stores; throws an error that lists what is damaged, what was lost and what helps. */
export async function scrubStores({ db, clickhouse }: { db: Db; clickhouse: ClickHouse }, say: Print): Promise<string> {
  return resultOf([...(await scrubPostgres(db, say)), ...(await scrubClickHouse(clickhouse, db, say))])
}

/** Does the same on request by NATS, for `npm run scrub` while the product runs. */
export const startScrubs = (platform: Platform): Running =>
  answerOrders(platform, {
    subject: subjects.scrub,
    called: 'A scrub',
    work: (_, say) => scrubStores(platform, say),
  })
