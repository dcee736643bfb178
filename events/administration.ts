import { z } from 'zod'
import { endpoint, Id, IdNumber } from './contract/endpoint.ts'

/** Milliseconds between the request to restart the API and the restart. */
export const restartDelayMs = 15_000

/** The running product: the API with its version and that of its client, Node, and the stores. */
export const Application = z.object({
  version: z.string(),
  /** Build of the client that browsers load. */
  build: z.string(),
  node: z.string(),
  upSince: z.iso.datetime(),
  /** Folder of the settings, users and projects, if it isn't the data folder. */
  settingsFolder: z.string().nullable(),
  /** Facts determined at the start, with their sources. Proxies are hosts with the variable that names them. */
  machine: z.object({
    timeZone: z.string(),
    timeZoneSource: z.string(),
    memoryBytes: z.number(),
    memorySource: z.string(),
    proxies: z.array(z.string()),
    /** Variables that add certificate authorities. */
    certificates: z.array(z.string()),
  }),
  stores: z.array(
    z.object({
      name: z.string(),
      isUp: z.boolean(),
      /** Null while the store is down. */
      version: z.string().nullable(),
    }),
  ),
})
export type Application = z.infer<typeof Application>

export const application = endpoint({
  method: 'GET',
  path: '/v1/administration/application',
  needs: 'settings.edit',
  failure: 'Unable to get the information about the application',
  answer: Application,
})

/**
 * Restarts the API, which is the server with ID 1, after `restartDelayMs`. Further requests until then have no effect.
 */
export const restart = endpoint({
  method: 'POST',
  path: '/v1/servers/:id/restart',
  needs: 'settings.edit',
  failure: 'Unable to restart the API.',
  params: Id,
})

/** All log files in one archive. */
export const logs = endpoint({
  method: 'GET',
  path: '/administration/logs',
  needs: 'settings.edit',
  failure: 'Unable to download log files',
  download: 'application/zip',
})

/** The newest daily log as lines of JSON: today's while the product runs. Empty without any log. */
export const dailyLog = endpoint({
  method: 'GET',
  path: '/administration/logs/daily',
  needs: 'settings.edit',
  failure: 'Unable to download log files',
  download: 'application/x-ndjson',
})

/** Request to write a backup into a folder of the server's machine, given as an absolute path. */
export const BackupOrder = z.object({ folder: z.string().startsWith('/'), isEncrypted: z.boolean().default(false) })
export type BackupOrder = z.infer<typeof BackupOrder>

/** Progress of a backup or scrub, until it is done or failed. `alive` comes every few seconds, without words. */
export const OrderProgress = z.object({ type: z.enum(['step', 'alive', 'done', 'failed']), words: z.string() })
export type OrderProgress = z.infer<typeof OrderProgress>

/** Objects that others refer to. A storage has the id of its volume. */
export const dependedKinds = ['user', 'storage', 'project', 'report', 'agent'] as const
export type DependedKind = (typeof dependedKinds)[number]

/**
 * References to an object, and their fate when it is deleted: a sentence for each kind of reference. Those to users,
 * storages and agents are for administrators. Users with limits get only their own references. None prevents a deletion.
 */
export const dependents = endpoint({
  method: 'GET',
  path: '/v1/dependents',
  needs: 'projects.edit',
  limitedBy: 'projects',
  failure: 'Unable to find out what depends on it',
  query: z.object({ id: IdNumber, of: z.enum(dependedKinds) }),
  answer: z.array(z.string()),
})
