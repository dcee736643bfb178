import { z } from 'zod'
import { urlFault } from './credentialFields.ts'
import { hasMedia, hasVersions, speaksS3 } from './regions.ts'

const maxLength = (characters: number) => `must be between 1 and ${characters} characters`
const rate = 'must be a whole number from 1 to 10000'
/** Options of a bucket, the same in its draft and its row. */
export const BucketOptions = {
  /** Requests that may begin in a second; null is no limit. */
  requestsPerSecond: z.int(rate).min(1, rate).max(10_000, rate).nullable().default(null),
  /** Old versions and unfinished uploads, and snapshots and deleted blobs of Azure, are counted at each scan, which takes more requests. */
  countsVersions: z.boolean().default(false),
  /** Location to which the bucket's S3 Inventory is delivered, which is read instead of listing; empty to list. */
  inventory: z
    .string()
    .trim()
    .max(2_000, maxLength(2_000))
    .overwrite((address) => address.replace(/\/+$/, ''))
    .default(''),
  /** Requests state that the owner of the keys pays for them, as some buckets require. */
  requesterPays: z.boolean().default(false),
  /** The folder to scan, such as `films/2024`; empty for the whole bucket. Names of folders may end with a space. */
  prefix: z
    .string()
    .max(1_000, maxLength(1_000))
    .overwrite((prefix) => prefix.replace(/^\/+|\/+$/g, ''))
    .default(''),
  /** URL of the SQS queue to which the bucket's notifications are sent, by which its changes are followed; empty if they aren't. */
  queue: z.string().trim().max(1_000, maxLength(1_000)).default(''),
  /** Of Dropbox: paths begin in the space of the account's team, which has the folders of the team and of its members. */
  teamSpace: z.boolean().default(false),
}

type Draft = {
  type: string
  requestsPerSecond: number | null
  countsVersions: boolean
  requesterPays: boolean
  readMedia: boolean
} & Record<'inventory' | 'queue', string>

/** Options that are wrong, or that the type of the bucket doesn't have, with a message for each. */
export function optionFaults({ type, requestsPerSecond, countsVersions, inventory, queue, ...draft }: Draft) {
  const { requesterPays, readMedia } = draft
  const fault = queue === '' ? undefined : urlFault(queue)
  const isOfS3 = {
    inventory: inventory !== '',
    queue: queue !== '',
    requestsPerSecond: requestsPerSecond !== null,
    requesterPays,
  }
  const rules: [isWrong: boolean, field: string, message: string][] = [
    [
      inventory !== '' && !/^s3:\/\/[^/\s]+(\/[^/]+)+$/.test(inventory),
      'inventory',
      'must be like s3://reports/inventory/films/daily',
    ],
    [fault !== undefined, 'queue', fault ?? ''],
    [queue !== '' && inventory !== '', 'queue', "can't be used with S3 Inventory, which shows an earlier state"],
    [countsVersions && !hasVersions(type), 'countsVersions', 'is for S3 and Azure alone'],
    [readMedia && !hasMedia(type), 'readMedia', 'is for S3 and Azure alone'],
    ...Object.entries(isOfS3).map(([field, isSet]): [boolean, string, string] => [
      isSet && !speaksS3(type),
      field,
      'is for S3 alone',
    ]),
  ]
  return rules.filter(([isWrong]) => isWrong).map(([, field, message]) => [field, message] as const)
}
