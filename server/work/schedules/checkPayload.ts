import { sql } from 'kysely'
import { z } from 'zod'
import { may } from '#events/contract/needs.ts'
import type { ScannerClass, ScheduleDraft } from '#events/schedules/calls.ts'
import { sourceScheduledBy } from '#events/sources/kinds.ts'
import { alertTypes } from '#server/work/alerts/index.ts'
import { refusedHost } from '#server/messages/notifications/index.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { invalid } from '#server/platform/problem.ts'
import { sourceVolumes } from '#server/scanning/sources/index.ts'

/** Objects that a payload names: their field and ids, those of them that exist, and the rule that an error message states. */
type NamedObjects = {
  field: string
  ids: number[]
  find: (ids: number[]) => Promise<{ id: number }[]>
  rule: (id: number) => string
}

/**
 * Throws 400 with the field if a schedule names an object that is not set up. Objects that it named `before` may be
 * deleted meanwhile: such a schedule can still be paused, renamed and corrected.
 */
export async function checkPayload(trx: Trx, draft: ScheduleDraft, before?: ScheduleDraft): Promise<void> {
  const { field, ids, find, rule } = namedBy(trx, draft)
  const known = before ? namedBy(trx, before).ids : []
  const added = ids.filter((id) => !known.includes(id))
  if (added.length === 0) return
  const found = await find(added)
  const unknown = added.find((id) => found.every((one) => one.id !== id))
  if (unknown !== undefined) invalid(field, rule(unknown))
}

function namedBy(trx: Trx, { jobClass, payload }: ScheduleDraft): NamedObjects {
  switch (jobClass) {
    case 'SCAN_SERVER':
      return { field: 'payload.serverId', ids: [payload.serverId], ...living(trx, 'agents') }
    case 'SCAN_VOLUMES':
      return { field: 'payload.volumes', ids: payload.volumes, ...living(trx, 'volumes') }
    case 'SCAN_STORAGES': {
      const ids = Object.keys(payload.storageIdToPath).map(Number)
      return { field: 'payload.storageIdToPath', ids, ...living(trx, 'volumes') }
    }
    case 'SCAN_FAILED_ALERT':
    case 'SCAN_OVERDUE_ALERT':
      return { field: 'payload.resourceIds', ids: payload.resourceIds, ...living(trx, 'volumes') }
    case 'VOLUME_SPACE_ALERT':
    case 'MASS_CHANGE_ALERT':
      return { field: 'payload.resourceIds', ids: payload.resourceIds, ...living(trx, 'volumes', alertTypes) }
    case 'PROJECT_SPACE_ALERT':
      return { field: 'payload.resourceIds', ids: payload.resourceIds, ...existing(trx, 'projects', 'projects') }
    case 'REPORT_CHECK_ALERT':
      return { field: 'payload.resourceIds', ids: payload.resourceIds, ...existing(trx, 'reportTemplates', 'reports') }
    default:
      return namedSources(trx, jobClass, payload)
  }
}

/** Job classes that name sources of one kind by the ids of its calls, and those that name nothing. */
function namedSources(trx: Trx, jobClass: ScannerClass, payload: object): NamedObjects {
  const source = sourceScheduledBy(jobClass)
  const isSome = source !== undefined && jobClass === source.scheduledBy[1]
  const { idsName = '', kind = 'any', plural = '' } = source ?? {}
  return {
    field: `payload.${idsName}`,
    ids: isSome ? z.array(z.int()).parse((payload as Record<string, unknown>)[idsName]) : [],
    find: (ids) => sourceVolumes(trx, kind, ids),
    rule: (id) => `must be existing ${plural}; there is no ${id}`,
  }
}

const living = (
  trx: Trx,
  table: 'agents' | 'volumes',
  types?: readonly string[],
): Pick<NamedObjects, 'find' | 'rule'> => ({
  find: (ids) =>
    trx
      .selectFrom(table)
      .select('id')
      .where('id', 'in', ids)
      .where('deletedAt', 'is', null)
      .$if(types !== undefined, (some) => some.where(sql.ref('type'), 'in', types ?? []))
      .execute(),
  rule: (id) =>
    table === 'agents' ? 'must be an agent that exists' : `must be existing file storages; there is no ${id}`,
})

const existing = (
  trx: Trx,
  table: 'projects' | 'reportTemplates',
  plural: string,
): Pick<NamedObjects, 'find' | 'rule'> => ({
  find: (ids) => trx.selectFrom(table).select('id').where('id', 'in', ids).execute(),
  rule: (id) => `must be ${plural} that exist; ${id} is none`,
})

/** Throws 400 if the recipients of an alert are not for its user: addresses of others, and internal webhooks. */
export function checkDelivery(draft: ScheduleDraft, { roles }: Pick<Caller, 'roles'>): void {
  const delivery = draft.jobGroup === 'ALERT' ? draft.delivery : undefined
  if (!delivery) return
  if (delivery.addresses.length > 0 && !may(roles, 'settings.edit'))
    invalid('delivery.addresses', 'must be empty; only administrators may send to other addresses')
  const refused = delivery.webhook && refusedHost(delivery.webhook, roles)
  if (refused) invalid('delivery.webhook', refused)
}
