import { Button, PasswordInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { type ConfigurationEntry, type ConfigurationName, configurations } from '#events/configurations.ts'
import { sendTestEmail } from '#events/notifications/calls.ts'
import { mailServerPlace, type MailSignIn } from '#events/notifications/mailSettings.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast, toastFailure } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { ChoiceRow, ConfigurationRow, SwitchRow, TextRow } from '#client/settings/system/ConfigurationRow.tsx'
import {
  type ConfigurationField,
  type ConfigurationSection,
  useConfiguration,
} from '#client/settings/system/useConfiguration.ts'
import { Card } from '#client/ui/Card.tsx'
import { Chip } from '#client/ui/values/Chip.tsx'
import { EmailPassword, inSentence, type MailSecret } from './EmailPassword.tsx'
import classes from '#client/settings/system/Configuration.module.css'

type Row = { name: ConfigurationName; label: string; explanation: string; placeholder?: string }

/** The server, below which is its encryption, the emails, and the account, which follows the switch Sign in. */
const texts: Row[] = [
  {
    name: 'spring.mail.host',
    label: 'Hostname',
    explanation: 'The mail server that sends emails.',
    placeholder: 'smtp.example.com',
  },
  { name: 'spring.mail.port', label: 'Port', explanation: 'Usually 587, or 465 for TLS from the start.' },
  {
    name: 'spring.mail.from',
    label: 'From',
    explanation: 'Sender address of emails. If empty, the username is used.',
    placeholder: 'dataintell@example.com',
  },
  {
    name: 'spring.mail.properties.mail.smtp.localhost',
    label: 'EHLO name',
    explanation: 'Full host name that this server gives the mail server. If empty, the host of the application URL.',
    placeholder: 'dataintell.example.com',
  },
  {
    name: 'allowedMailDomains',
    label: 'Allowed mail domains',
    explanation:
      'Users may add addresses of these domains without a confirmation. Separate them by commas. Other addresses are confirmed with a code.',
    placeholder: 'example.com, example.org',
  },
  { name: 'spring.mail.username', label: 'Username', explanation: 'The account on the mail server.' },
]
const startTls = 'spring.mail.properties.mail.smtp.starttls.enable'
const startTlsRequired = 'spring.mail.properties.mail.smtp.starttls.required'
const tls = 'spring.mail.properties.mail.smtp.ssl.enable'
const auth = 'spring.mail.properties.mail.smtp.auth'

const encryptions = {
  startTlsIfPossible: 'STARTTLS if possible',
  startTls: 'STARTTLS required',
  tls: 'TLS from the start',
  none: 'None',
}

/** The three settings of the encryption as one choice. */
function encryptionField({ field }: ConfigurationSection): ConfigurationField {
  const isOn = (name: ConfigurationName) => field(name).value === 'true'
  const offered = isOn(startTls) ? 'startTlsIfPossible' : 'none'
  const value = isOn(tls) ? 'tls' : isOn(startTlsRequired) ? 'startTls' : offered
  return {
    ...field(tls),
    value,
    set: (value) => {
      field(tls).set(String(value === 'tls'))
      field(startTls).set(String(value === 'startTls' || value === 'startTlsIfPossible'))
      field(startTlsRequired).set(String(value === 'startTls'))
    },
  }
}

const signInLabels: Record<MailSignIn, string> = {
  password: 'Password',
  microsoft: 'Microsoft 365 (OAuth)',
  google: 'Google Workspace (OAuth)',
}
const secrets: Record<MailSignIn, MailSecret> = {
  password: { name: 'spring.mail.password', label: 'Password', set: 'Set password' },
  microsoft: { name: 'mailClientSecret', label: 'Client secret', set: 'Set client secret' },
  google: {
    name: 'mailServiceKey',
    label: 'Service account key',
    set: 'Set service account key',
    note: 'Paste the whole JSON file of the key.',
  },
}
/** Settings of the application at Microsoft. */
const ofMicrosoft: Row[] = [
  {
    name: 'mailTenant',
    label: 'Tenant',
    explanation: 'Directory (tenant) ID in Microsoft Entra, or a domain of the tenant.',
    placeholder: 'example.onmicrosoft.com',
  },
  {
    name: 'mailClientId',
    label: 'Client ID',
    explanation:
      'ID of the application, which needs the permission SMTP.SendAsApp and the right to send as the username.',
  },
]
const names: ConfigurationName[] = [
  ...[...texts, ...ofMicrosoft].map(({ name }) => name),
  ...([startTls, startTlsRequired, tls, auth] as const),
  ...Object.values(secrets).map(({ name }) => name),
  'mailSignIn',
]

/** Mail server for alerts and notifications. */
export function EmailSection() {
  const remote = useRemote(configurations.list, {}, 'configurations')
  return (
    <Card title="Email" remote={remote}>
      {(entries) => <EmailForm entries={entries} updated={remote.retry} />}
    </Card>
  )
}

type FormProps = { entries: ConfigurationEntry[]; updated: () => void }

function EmailForm({ entries, updated }: FormProps) {
  const section = useConfiguration(entries, names, { updated })
  const [isTesting, test] = useTestMail()
  const { hasChanges, problem, busy } = section
  const isValid = problem === undefined
  const rowsOf = (from: number, to?: number) =>
    texts.slice(from, to).map(({ name, ...row }) => <TextRow key={name} field={section.field(name)} {...row} />)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (hasChanges && isValid) section.update()
      }}
    >
      <div className={classes.rows}>
        {rowsOf(0, 2)}
        <ChoiceRow
          field={encryptionField(section)}
          label="Encryption"
          explanation="STARTTLS if possible sends mail without encryption to servers that have none."
          choices={encryptions}
        />
        {rowsOf(2, 5)}
        <SwitchRow
          field={section.field(auth)}
          label="Sign in"
          explanation="Sign in to the mail server as the username."
        />
        {rowsOf(5)}
        <SignInRows entries={entries} section={section} updated={updated} />
      </div>
      <div className={classes.buttons}>
        <span className={classes.why}>
          {hasChanges && (problem ?? 'Save first: the test uses the saved settings.')}
          {!hasChanges &&
            (isValid ? 'Sends a test email to your own address.' : 'Enter your mail server to send emails.')}
        </span>
        {hasChanges && (
          <Button variant="default" onClick={section.discard} disabled={busy}>
            Discard
          </Button>
        )}
        <Button variant="default" onClick={test} loading={isTesting} disabled={!isValid || hasChanges}>
          Test
        </Button>
        <Button type="submit" loading={busy} disabled={!isValid || !hasChanges}>
          Update
        </Button>
      </div>
    </form>
  )
}

type SignInProps = FormProps & { section: ConfigurationSection }

/** The sign-in to the mail server, with its settings. */
function SignInRows({ entries, section, updated }: SignInProps) {
  const entryOf = (name: ConfigurationName) => entries.find((entry) => entry.name === name)
  const signIn = section.field('mailSignIn')
  const chosen = (signIn.value || 'password') as MailSignIn
  const isMoved = mailServerPlace.some((name) => section.field(name).value !== (entryOf(name)?.value ?? ''))
  const isNeededAgain = ({ name }: MailSecret) =>
    Boolean(section.field(name).value) || (isMoved && entryOf(name)?.isSet === true)
  const { name } = secrets[chosen]
  return (
    <>
      <ChoiceRow
        field={signIn}
        label="Sign-in method"
        explanation="Microsoft 365 and Google Workspace may refuse passwords. Use OAuth for them."
        choices={signInLabels}
      />
      {chosen === 'microsoft' &&
        ofMicrosoft.map(({ name, ...row }) => <TextRow key={name} field={section.field(name)} {...row} />)}
      <PasswordRow key={name} secret={secrets[chosen]} entry={entryOf(name)} updated={updated} />
      {Object.values(secrets)
        .filter(isNeededAgain)
        .map(({ name, label }) => (
          <PasswordAgain key={name} label={label} field={section.field(name)} />
        ))}
    </>
  )
}

/** Sends a test email to the user's own address, and shows the result. */
function useTestMail() {
  return useBusy(async () => {
    try {
      await call(sendTestEmail, {})
      toast({ kind: 'success', message: 'The email configurations were tested successfully.' })
    } catch (error) {
      toastFailure(`Unable to test the email configurations: ${(error as Error).message}`)
    }
  })
}

/** A stored secret goes to no other server, so it has to be entered again for one. */
function PasswordAgain({ label, field }: { label: string; field: ConfigurationField }) {
  const id = useId()
  return (
    <ConfigurationRow
      id={id}
      label={`${label} again`}
      explanation={`The stored ${inSentence(label)} is for the saved server and encryption.`}
    >
      <PasswordInput
        id={id}
        aria-describedby={`${id}-explanation`}
        autoComplete="new-password"
        value={field.value}
        error={field.problem}
        disabled={field.busy}
        onChange={({ currentTarget }) => field.set(currentTarget.value)}
      />
    </ConfigurationRow>
  )
}

function aboutPassword(isSet: boolean, isLost: boolean): string {
  if (isLost) return 'It was encrypted with a different server key. Set it again.'
  return isSet ? 'Set. It is never shown.' : 'Not set'
}

type PasswordRowProps = { secret: MailSecret; entry: ConfigurationEntry | undefined; updated: () => void }

function PasswordRow({ secret, entry, updated }: PasswordRowProps) {
  const [opened, open] = useState(false)
  const { isSet = false, isLost = false } = entry ?? {}
  const verb = isSet ? `Change ${inSentence(secret.label)}` : secret.set
  return (
    <>
      <ConfigurationRow label={secret.label} explanation={aboutPassword(isSet, isLost)}>
        {isLost && (
          <Chip icon={IconAlertTriangle} tone="warn">
            Cannot be opened
          </Chip>
        )}
        <Button className={classes.set} variant="default" onClick={() => open(true)}>
          {verb}
        </Button>
      </ConfigurationRow>
      <EmailPassword secret={secret} opened={opened} title={verb} onClose={() => open(false)} onSaved={updated} />
    </>
  )
}
