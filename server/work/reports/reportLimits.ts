import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { otherLimits } from '#events/reports/runs.ts'
import { seenText } from '#events/users/session.ts'
import { readSeenPlaces } from '#server/access/limits/index.ts'
import { currentScopeOf, limitsKey, type Scope } from '#server/platform/callers/scope.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** The scope of a report's owner, its key, and the line that says so in results. */
export type ReportLimits = { scope: Scope; key: string | null; line: string | undefined }

/** Reads the limits of a report's owner. Those of a deleted owner who had limits show nothing. */
export async function limitsOf(db: Db | Trx, ownerId: number | null): Promise<ReportLimits> {
  const scope = ownerId === null ? 'everything' : await currentScopeOf(db, ownerId)
  const places = scope === 'everything' ? undefined : await readSeenPlaces(db, { userId: ownerId ?? 0 }, scope)
  return { scope, key: limitsKey(ownerId ?? 0, scope), line: places && `Of ${seenText(places)}` }
}

type Reader = Pick<Caller, 'id' | 'scope'>

/** Condition on rows of `report_templates`: users with limits see their own. */
export const showsReport = ({ id, scope }: Reader): RawBuilder<SqlBool> =>
  scope === 'everything' ? sql`true` : sql`report_templates.owner_id = ${id}`

type RunWithLimits = { limits: string | null; reason: string | null; indexingDate: string | null }

/** A run as a user sees it: with limits, it has figures only if they were counted within the same ones. */
export function shownRun<R extends RunWithLimits>(run: R, { id, scope }: Reader): R {
  if (scope === 'everything' || run.limits === limitsKey(id, scope)) return run
  const figures = Object.keys(run).filter((name) => /^(numberOf|sizeOf|check)/.test(name))
  const isCounted = run.indexingDate !== null
  return {
    ...run,
    ...Object.fromEntries(figures.map((name) => [name, null])),
    isKept: false,
    reportTag: null,
    indexingDate: null,
    reason: isCounted ? otherLimits : null,
  }
}
