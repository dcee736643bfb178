import { z } from 'zod'
import { crud, endpoint, IdNumber } from '#events/contract/endpoint.ts'
import { nameText } from '#events/contract/names.ts'
import { TestedDelivery } from '#events/notifications/channels.ts'
import { WebhookUrl } from '#events/notifications/webhooks.ts'
import { streamNames } from '#events/streams.ts'

/** Kinds of systems that receive the event log, with their labels. */
export const destinationKinds = {
  SYSLOG_TLS: 'Syslog over TLS',
  SYSLOG_UDP: 'Syslog over UDP',
  OTLP: 'OpenTelemetry (OTLP logs over HTTP)',
  WEBHOOK: 'Webhook, events in batches',
} as const
export type DestinationKind = keyof typeof destinationKinds

export const isSyslog = (kind: DestinationKind): boolean => kind.startsWith('SYSLOG')

/** Groups of events to choose from, by their kinds of streams. All other kinds are settings. */
export const eventTopics = {
  ACCESS: {
    label: 'Sign-ins, users and rights',
    description: 'Also sessions, API tokens and wall displays',
    streams: ['apiToken', 'groupLimits', 'limits', 'session', 'signIns', 'user', 'wall', 'wallLimits'],
  },
  SETTINGS: { label: 'Settings', description: 'Also storages, credentials, agents and price books', streams: [] },
  CONTENT: {
    label: 'Projects, reports and tags',
    description: 'Also saved searches and deleted snapshots',
    streams: ['policy', 'project', 'report', 'savedSearch', 'snapshot', 'tags'],
  },
  JOBS: {
    label: 'Jobs and schedules',
    description: 'Scans, archiving, restores and transfers, and alerts',
    streams: ['job', 'jobRetention', 'schedule'],
  },
  PRODUCT: {
    label: 'The product itself',
    description: 'Health problems, backups and restarts',
    streams: ['api', 'backups', 'health'],
  },
} as const satisfies Record<string, { label: string; description: string; streams: readonly string[] }>
export type EventTopic = keyof typeof eventTopics
const topicNames = Object.keys(eventTopics) as [EventTopic, ...EventTopic[]]

/** Topic of a kind of streams. */
export const topicOf = (kind: string): EventTopic =>
  topicNames.find((topic) => (eventTopics[topic].streams as readonly string[]).includes(kind)) ?? 'SETTINGS'

/** LIKE patterns of the streams of these topics. */
export const streamsOf = (topics: readonly EventTopic[]): string[] =>
  Object.entries(streamNames)
    .filter(([kind]) => topics.includes(topicOf(kind)))
    .map(([, name]) => (typeof name === 'string' ? name : `${(name as (id: string) => string)('')}%`))

/** `host:port`, an IPv6 address in brackets. */
const hostAndPort = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i

/** Host without brackets, and port, of the address of a syslog receiver; undefined for other texts. */
export function syslogAddress(address: string): { host: string; port: number } | undefined {
  const [, host = '', port] = hostAndPort.exec(address) ?? []
  const number = Number(port)
  return number > 0 && number < 65_536 ? { host: host.replace(/^\[|\]$/g, ''), port: number } : undefined
}

const certificates = /^(\s*-----BEGIN CERTIFICATE-----[\w+/=\s]+-----END CERTIFICATE-----)+\s*$/

const fields = z.object({
  name: nameText({ max: 100 }),
  kind: z.enum(Object.keys(destinationKinds) as [DestinationKind, ...DestinationKind[]]),
  /** `host:port` of syslog, otherwise a URL. A hidden one, as it was listed, keeps the stored one. */
  address: z.string().trim().max(2_048),
  topics: z.array(z.enum(topicNames)).min(1, 'must have at least one').default(topicNames),
  /** Certificates (PEM) that are trusted for this destination instead of the default authorities. */
  authority: z
    .string()
    .trim()
    .max(50_000)
    .regex(certificates, 'must be certificates in PEM format, which begin with -----BEGIN CERTIFICATE-----')
    .nullable()
    .default(null),
  /** Header of the secret; null for none. Headers with a meaning of their own can't be used. */
  header: z
    .string()
    .max(100)
    .regex(
      /^(?!(host|connection|idempotency-key)$|content-|transfer-|webhook-)[\w-]+$/i,
      'must be a name such as Authorization',
    )
    .nullable()
    .default(null),
})
const secret = z
  .string()
  .max(4_000)
  .regex(/^[\x20-\x7e]*$/, 'must not contain line breaks or letters other than ASCII')
  .nullable()
  .default(null)

type Fields = z.infer<typeof fields>

const complete = <S extends z.ZodType<Fields>>(schema: S) =>
  schema.superRefine(({ kind, address, header }, { addIssue }) => {
    const wrong = (message: string) => addIssue({ code: 'custom', path: ['address'], message })
    if (isSyslog(kind))
      return syslogAddress(address) ? undefined : wrong('must be a host and a port, such as siem:6514')
    const { error } = WebhookUrl.safeParse(address)
    if (error) wrong(error.issues[0]?.message ?? 'is not valid')
    // Anyone between could read the secret.
    else if (header !== null && !address.startsWith('https:')) wrong('must start with https:// when a secret is sent')
  })

export const DestinationDraft = complete(
  fields.extend({
    /** Value of the header. Null keeps the stored one. */
    secret,
    /** Sends all events from the start of the log; otherwise those from now on. Only when it is added. */
    isFromStart: z.boolean().default(false),
  }),
)
export type DestinationDraft = z.output<typeof DestinationDraft>

/** Events behind are counted up to this number. */
export const maxCountedBehind = 100_000

/** A system that receives the event log. Only the host of a URL is shown. */
export const EventDestination = fields.extend({
  id: z.int(),
  /** True if it was sealed with another server key. Nothing is sent until the address and the secret are entered again. */
  isPasswordLost: z.boolean(),
  /** Events that it has not received yet, at most one more than `maxCountedBehind`. */
  behind: z.int(),
  sentAt: z.iso.datetime().nullable(),
  /** Reason why the last attempt failed; null if it was accepted. */
  error: z.string().nullable(),
  nextTryAt: z.iso.datetime().nullable(),
  /** Events that it will never receive, and why: the data retention deleted them, or the receiver refused them. */
  lost: z.int(),
  lostReason: z.string().nullable(),
})
export type EventDestination = z.infer<typeof EventDestination>

const needs = 'settings.edit'
const path = '/v1/eventLog/destinations'
const table = crud(path, {
  entity: EventDestination,
  draft: DestinationDraft,
  secrets: ['secret'],
  one: 'the destination',
  many: 'the destinations',
  needs,
})

/** Systems that receive the event log, such as a SIEM. */
export const eventDestinations = {
  ...table,
  /** Sends a test event at once, to a destination as entered. `id` is the one whose stored address and secret are used. */
  test: endpoint({
    method: 'POST',
    path: `${path}/tests`,
    needs,
    failure: 'Unable to test the destination',
    body: complete(fields.extend({ secret, id: IdNumber.optional() })),
    answer: TestedDelivery,
  }),
}
