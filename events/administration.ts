import { z } from 'zod'
import { endpoint, Id } from './contract/endpoint.ts'

/** So long after it was asked for, the API restarts. Milliseconds. */
export const restartsAfter = 15_000

/** What runs here: the API with its version and that of its client, Node, and the stores behind it. */
export const Application = z.object({
  version: z.string(),
  /** Of the client that browsers load. */
  build: z.string(),
  node: z.string(),
  upSince: z.iso.datetime(),
  /** Folder of the settings, users and projects if it isn't the data folder. */
  settingsFolder: z.string().nullable(),
  stores: z.array(
    z.object({
      name: z.string(),
      isUp: z.boolean(),
      /** Null while it is down. */
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

/** Restarts the API, which is the server with the id 1, `restartsAfter` from now; asked again meanwhile it changes nothing. */
export const restart = endpoint({
  method: 'POST',
  path: '/v1/servers/:id/restart',
  needs: 'settings.edit',
  failure: 'Unable to restart the API.',
  params: Id,
})

/** The files of the log, in one archive. */
export const logs = endpoint({
  method: 'GET',
  path: '/administration/logs',
  needs: 'settings.edit',
  failure: 'Unable to download log files',
  download: 'application/zip',
})

/** The log of the newest day that has one, which is today's while anything runs: lines of JSON. Empty where there is none yet. */
export const dailyLog = endpoint({
  method: 'GET',
  path: '/administration/logs/daily',
  needs: 'settings.edit',
  failure: 'Unable to download log files',
  download: 'application/x-ndjson',
})
