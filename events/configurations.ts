import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** A key of the configuration: its words, its usual value, and what it may be. Values travel as text. */
type Key = { description: string; usual: string; check: z.ZodType; isHashed?: true }

const wholeNumber = (least: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Value must be a positive number')
    .refine((text) => Number(text) >= least, `Value must be at least ${least}`)
const yesOrNo = z.enum(['true', 'false'])

export const configurationKeys = {
  'app.url': {
    description: 'Application URL, as mails link to it',
    usual: '',
    check: z.union([z.literal(''), z.url({ protocol: /^https?$/, error: "URL can't be empty" })]),
  },
  jobQueuedLength: { description: 'Maximum number of waiting jobs', usual: '100', check: wholeNumber(0) },
  jobRetention: { description: 'Days that jobs are kept after their end', usual: '30', check: wholeNumber(1) },
  serverNumberOfThreads: { description: 'Threads of each agent', usual: '2', check: wholeNumber(1) },
  'spring.mail.host': { description: 'Mail hostname', usual: '', check: z.string().trim().max(255) },
  'spring.mail.port': { description: 'Mail port', usual: '587', check: wholeNumber(1) },
  'spring.mail.username': { description: 'Mail username', usual: '', check: z.string().trim().max(255) },
  'spring.mail.password': { description: 'Mail password', usual: '', check: z.string().max(1_000), isHashed: true },
  'spring.mail.from': {
    description: 'Sender of mails',
    usual: '',
    check: z.union([z.literal(''), z.email('From must be a well-formed email address')]),
  },
  'spring.mail.properties.mail.smtp.auth': { description: 'SMTP authentication', usual: 'true', check: yesOrNo },
  'spring.mail.properties.mail.smtp.starttls.enable': {
    description: 'Use TLS when offered',
    usual: 'true',
    check: yesOrNo,
  },
  'spring.mail.properties.mail.smtp.starttls.required': {
    description: 'Refuse mail servers without TLS',
    usual: 'false',
    check: yesOrNo,
  },
  'spring.mail.properties.mail.smtp.ssl.enable': {
    description: 'TLS from the first byte',
    usual: 'false',
    check: yesOrNo,
  },
} as const satisfies Record<string, Key>
export type ConfigurationName = keyof typeof configurationKeys
export const configurationNames = Object.keys(configurationKeys) as [ConfigurationName, ...ConfigurationName[]]

/** `value` is null for what is hashed: it goes in and never comes out; `isSet` tells whether there is one. */
export const ConfigurationEntry = z.object({
  name: z.enum(configurationNames),
  description: z.string(),
  value: z.string().nullable(),
  isHashed: z.boolean(),
  isSet: z.boolean(),
})
export type ConfigurationEntry = z.infer<typeof ConfigurationEntry>

const needs = 'settings.edit'

export const configurations = {
  list: endpoint({
    method: 'GET',
    path: '/configurations',
    needs,
    failure: 'Unable to fetch the configurations',
    answer: z.array(ConfigurationEntry),
  }),
  /** Answers the entries that changed; all or none of them change. A wrong value is a sub-error of its name. */
  update: endpoint({
    method: 'PUT',
    path: '/configurations',
    needs,
    failure: 'Unable to update the configurations',
    body: z
      .array(z.object({ name: z.enum(configurationNames), value: z.string().max(10_000) }))
      .min(1, 'must name at least one entry')
      .max(100),
    answer: z.array(ConfigurationEntry),
  }),
}
