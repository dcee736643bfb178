import { z } from 'zod'
import { may } from '#events/contract/needs.ts'
import type { ScannerClass, ScheduleDraft } from '#events/schedules/calls.ts'
import { sourceScheduledBy } from '#events/sources/kinds.ts'
import { alertTypes } from '#server/alerts/index.ts'
import { refusedHost } from '#server/notifications/index.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { invalid } from '#server/platform/problem.ts'
import { sourceVolumes } from '#server/sources/index.ts'

/** Throws 400 with the field if a schedule names an object that is not set up. */
export async function checkPayload(trx: Trx, { jobClass, payload }: ScheduleDraft): Promise<void> {
  switch (jobClass) {
    case 'SCAN_SERVER':
      return checkAgent(trx, payload.serverId)
    case 'SCAN_VOLUMES':
      return checkVolumes(trx, 'payload.volumes', payload.volumes)
    case 'SCAN_STORAGES':
      return checkVolumes(trx, 'payload.storageIdToPath', Object.keys(payload.storageIdToPath).map(Number))
    case 'SCAN_FAILED_ALERT':
    case 'SCAN_OVERDUE_ALERT':
      return checkVolumes(trx, 'payload.resourceIds', payload.resourceIds)
    case 'VOLUME_SPACE_ALERT':
      return checkVolumes(trx, 'payload.resourceIds', payload.resourceIds, alertTypes)
    case 'PROJECT_SPACE_ALERT':
      return checkProjects(trx, payload.resourceIds)
    case 'REPORT_CHECK_ALERT':
      return checkReports(trx, payload.resourceIds)
    default:
      return checkSources(trx, jobClass, payload)
  }
}

/** Checks job classes that name sources of one kind by the ids of its calls. */
async function checkSources(trx: Trx, jobClass: ScheduleDraft['jobClass'], payload: object): Promise<void> {
  const source = sourceScheduledBy(jobClass as ScannerClass)
  if (!source || jobClass !== source.scheduledBy[1]) return
  const ids = z.array(z.int()).parse((payload as Record<string, unknown>)[source.idsName])
  const known = new Set((await sourceVolumes(trx, source.kind, ids)).map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined)
    invalid(`payload.${source.idsName}`, `must be existing ${source.plural}; there is no ${unknown}`)
}

async function checkAgent(trx: Trx, id: number): Promise<void> {
  const agent = await trx.selectFrom('agents').select('id').where('id', '=', id).executeTakeFirst()
  if (!agent) invalid('payload.serverId', 'must be an agent that exists')
}

async function checkVolumes(trx: Trx, field: string, ids: number[], types?: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const volumes = trx.selectFrom('volumes').select('id').where('id', 'in', ids).where('deletedAt', 'is', null)
  const found = await volumes.$if(types !== undefined, (some) => some.where('type', 'in', types ?? [])).execute()
  const unknown = ids.find((id) => !found.some((volume) => volume.id === id))
  if (unknown !== undefined) invalid(field, `must be existing file storages; there is no ${unknown}`)
}

async function checkProjects(trx: Trx, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const projects = await trx.selectFrom('projects').select('id').where('id', 'in', ids).execute()
  const unknown = ids.find((id) => !projects.some((project) => project.id === id))
  if (unknown !== undefined) invalid('payload.resourceIds', `must be projects that exist; ${unknown} is none`)
}

async function checkReports(trx: Trx, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const reports = await trx.selectFrom('reportTemplates').select('id').where('id', 'in', ids).execute()
  const unknown = ids.find((id) => !reports.some((report) => report.id === id))
  if (unknown !== undefined) invalid('payload.resourceIds', `must be reports that exist; ${unknown} is none`)
}

/** Throws 400 if the recipients of an alert are not for its user: addresses of others, and internal webhooks. */
export function checkDelivery(draft: ScheduleDraft, { roles }: Pick<Caller, 'roles'>): void {
  const delivery = draft.jobGroup === 'ALERT' ? draft.delivery : undefined
  if (!delivery) return
  if (delivery.addresses.length > 0 && !may(roles, 'settings.edit'))
    invalid('delivery.addresses', 'must be empty; only administrators may send to other addresses')
  const refused = delivery.webhook && refusedHost(delivery.webhook, roles)
  if (refused) invalid('delivery.webhook', refused)
}
