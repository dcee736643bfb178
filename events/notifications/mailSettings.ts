import { z } from 'zod'
import { emailOrNone, line, wholeNumber, yesOrNo } from '#events/contract/configurationValues.ts'
import { domainListRule, isDomainList } from './addresses.ts'

/** Ways to sign in to the mail server: with the password, or by OAuth with the credentials of an application. */
export const mailSignIns = ['password', 'microsoft', 'google'] as const
export type MailSignIn = (typeof mailSignIns)[number]

/** Configuration keys of the mail server. */
export const mailKeys = {
  'spring.mail.host': {
    description: 'Mail hostname',
    defaultValue: '',
    check: line('Hostname must have at most 255 characters')
      .min(1, "Hostname can't be empty")
      .regex(/^[^\s/@]+$/, 'Hostname must be a name or an address'),
  },
  'spring.mail.port': { description: 'Mail port', defaultValue: '587', check: wholeNumber(1, 65_535) },
  /** Must also be set while `auth` is on. */
  'spring.mail.username': {
    description: 'Mail username',
    defaultValue: '',
    check: line('Username must have at most 255 characters'),
  },
  /** Leave empty to remove the password. */
  'spring.mail.password': {
    description: 'Mail password',
    defaultValue: '',
    check: z.string().max(1_000, 'Password must have at most 1000 characters'),
    isHashed: true,
  },
  'spring.mail.from': { description: 'Sender of emails', defaultValue: '', check: emailOrNone },
  'spring.mail.properties.mail.smtp.auth': { description: 'SMTP authentication', defaultValue: 'true', check: yesOrNo },
  'spring.mail.properties.mail.smtp.starttls.enable': {
    description: 'Use TLS when offered',
    defaultValue: 'true',
    check: yesOrNo,
  },
  'spring.mail.properties.mail.smtp.starttls.required': {
    description: 'Reject mail servers without TLS',
    defaultValue: 'false',
    check: yesOrNo,
  },
  'spring.mail.properties.mail.smtp.ssl.enable': {
    description: 'TLS on connect (SSL)',
    defaultValue: 'false',
    check: yesOrNo,
  },
  'spring.mail.properties.mail.smtp.localhost': {
    description: 'Name of this server for the mail server (EHLO)',
    defaultValue: '',
    check: line('EHLO name must have at most 255 characters').regex(
      /^([\w-]+(\.[\w-]+)*|\[[\da-fA-Fv.:IP]+\])?$/,
      'EHLO name must be a host name, such as dataintell.example.com',
    ),
  },
  mailSignIn: {
    description: 'Mail sign-in',
    defaultValue: 'password',
    check: z.enum(mailSignIns, `Value must be ${mailSignIns.join(', ')}`),
  },
  mailTenant: {
    description: 'Mail tenant at Microsoft',
    defaultValue: '',
    check: line('Tenant must have at most 255 characters').regex(
      /^([\w-][\w.-]*)?$/,
      'Tenant must be an ID or a domain',
    ),
  },
  mailClientId: {
    description: 'Mail client ID at Microsoft',
    defaultValue: '',
    check: line('Client ID must have at most 255 characters'),
  },
  /** Leave empty to remove the secret. */
  mailClientSecret: {
    description: 'Mail client secret at Microsoft',
    defaultValue: '',
    check: line('Client secret must have at most 1000 characters', 1_000),
    isHashed: true,
  },
  /** The JSON file of the key. Leave empty to remove it. */
  mailServiceKey: {
    description: 'Mail service account key of Google',
    defaultValue: '',
    check: z.string().max(8_000, 'Service account key must have at most 8000 characters'),
    isHashed: true,
  },
  allowedMailDomains: {
    description: 'Allowed mail domains',
    defaultValue: '',
    check: line('Domains must have at most 1000 characters', 1_000).refine(isDomainList, domainListRule),
  },
} as const

/** Destination of secrets of mail, the host first, and whether they are encrypted on the way. */
export const mailServerPlace = [
  'spring.mail.host',
  'spring.mail.port',
  'spring.mail.properties.mail.smtp.starttls.enable',
  'spring.mail.properties.mail.smtp.starttls.required',
  'spring.mail.properties.mail.smtp.ssl.enable',
] as const
