import { Button, Checkbox, Textarea } from '@mantine/core'
import { IconAlertOctagon, IconCircleCheck, IconClock, IconSend } from '@tabler/icons-react'
import type { z } from 'zod'
import {
  DestinationDraft,
  type DestinationKind,
  destinationKinds,
  type EventDestination,
  eventDestinations,
  type EventTopic,
  eventTopics,
  isSyslog,
  maxCountedBehind,
} from '#events/event-log/destinations.ts'
import { call } from '#client/app/call.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { showTested } from '#client/parts/alerts/channelForm.tsx'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import type { SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { choicesOf, type DrawnProps, type InputProps } from '#client/parts/settings-table/form.ts'
import { SettingsSection, TableIntro } from '#client/parts/settings-table/SettingsTable.tsx'
import { counted } from '#client/ui/text/count.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { StatusBadge } from '#client/ui/values/StatusBadge.tsx'

type Draft = z.input<typeof DestinationDraft>

/** Systems that receive the event log. */
export const EventDestinations = () => (
  <SettingsSection
    title="Event log destinations"
    intro={<TableIntro>Sends the event log to a SIEM or a log collector while it is written.</TableIntro>}
    table={table}
  />
)

const isHttp = ({ kind }: { kind: DestinationKind }) => !isSyslog(kind)

const form = describeForm<EventDestination, Draft>()({
  schema: DestinationDraft,
  fields: {
    kind: {
      label: 'Protocol',
      kind: 'select',
      options: choicesOf(destinationKinds),
      initial: 'SYSLOG_TLS' as DestinationKind,
      description: (_, { kind }) => protocols[kind].promise,
    },
    name: { label: 'Name', placeholder: 'SIEM', initial: '' },
    address: {
      label: ({ kind }) => (isHttp({ kind }) ? 'URL' : 'Host and port'),
      errorLabel: 'Address',
      placeholder: ({ kind }) => protocols[kind].address,
      initial: '',
    },
    topics: { label: 'Events', kind: 'own', Input: TopicsInput, initial: Object.keys(eventTopics) as EventTopic[] },
    isFromStart: {
      label: 'Also send earlier events',
      kind: 'checkbox',
      isShown: (_, edited) => edited === 'new',
      initial: false,
      read: () => false,
    },
    header: {
      label: 'Secret header',
      placeholder: 'Authorization',
      description: 'Sends a secret in this header. Leave empty for none.',
      isShown: isHttp,
      initial: '',
      read: ({ header }) => header ?? '',
      write: (header) => header.trim() || null,
    },
    secret: {
      label: 'Secret',
      kind: 'secret',
      isShown: ({ kind, header }) => isHttp({ kind }) && header.trim() !== '',
      initial: '',
    },
    authority: {
      label: 'Trusted certificate',
      description:
        'Certificate in PEM format, of the receiver or of its authority. Leave empty for public authorities.',
      kind: 'own',
      Input: CertificateInput,
      isShown: ({ kind }) => kind !== 'SYSLOG_UDP',
      initial: '',
      read: ({ authority }) => authority ?? '',
      write: (authority) => authority.trim() || null,
    },
  },
  saved: ({ name }, edited) => `Destination ${name.trim()} was ${edited === 'new' ? 'created' : 'updated'}`,
})

const httpPromise = 'Nothing is lost. After an interruption, a batch may arrive twice, with the same key.'

/** Guarantee and example address of each protocol. */
const protocols: Record<DestinationKind, { promise: string; address: string }> = {
  SYSLOG_TLS: {
    promise: 'Nothing is lost. After an interruption, some events may arrive twice, with the same number.',
    address: 'siem.example.com:6514',
  },
  SYSLOG_UDP: {
    promise: 'Not encrypted. Events may be lost, cut or out of order, and no one notices.',
    address: 'siem.example.com:514',
  },
  OTLP: { promise: httpPromise, address: 'https://collector.example.com:4318/v1/logs' },
  WEBHOOK: { promise: httpPromise, address: 'https://siem.example.com/events' },
}

const table: SettingsTable<EventDestination, Draft> = {
  label: 'Event log destinations',
  rows: rowsOf(eventDestinations.list, 'eventDestinations'),
  calls: callsOf(eventDestinations),
  columns: [
    { key: 'name', title: 'Name', grows: true, cell: ({ name }) => <span className="strong">{name}</span> },
    { key: 'kind', title: 'Protocol', wideOnly: true, cell: ({ kind }) => destinationKinds[kind] },
    {
      key: 'address',
      title: 'Address',
      wideOnly: true,
      cell: ({ address }) => <span className="break">{address}</span>,
    },
    { key: 'state', title: 'State', cell: (destination) => <DestinationState {...destination} /> },
  ],
  empty: {
    icon: IconSend,
    text: 'No destinations yet. A SIEM can receive the event log by syslog, OpenTelemetry or webhook.',
  },
  adding: { label: 'Add destination', link: 'destination' },
  editing: { label: ({ name }) => `Edit ${name}` },
  opens: {
    at: 'dialog',
    size: 'M',
    title: (edited) => (edited === 'new' ? 'Add destination' : `Edit ${edited.name}`),
    saves: () => 'Save destination',
    beside: (state) => <SendTest {...(state as unknown as TestProps)} />,
  },
  form,
  deletion: {
    label: ({ name }) => `Delete ${name}`,
    verb: 'Delete destination',
    question: ({ name }) => `Events that ${name} has not received are not sent. They stay in the event log.`,
    deleted: ({ name }) => `Destination ${name} was deleted`,
  },
}

function behindText(behind: number): string {
  if (behind === 0) return 'Up to date'
  return `${behind > maxCountedBehind ? `More than ${counted(maxCountedBehind, 'event')}` : counted(behind, 'event')} behind`
}

/** Distance of a destination from the end of the log, and the reason. */
function DestinationState({ behind, error, nextTryAt, isPasswordLost, lost, lostReason }: EventDestination) {
  const failure = isPasswordLost ? 'Encrypted with a different server key. Enter the address and secret again' : error
  const isBehind = behind > 0
  const icon = failure !== null ? IconAlertOctagon : isBehind ? IconClock : IconCircleCheck
  return (
    <div className="stack gap-4">
      <StatusBadge icon={icon} tone={failure !== null ? 'critical' : isBehind ? 'ok' : 'good'}>
        {[isBehind || failure === null ? behindText(behind) : '', failure ?? ''].filter(Boolean).join(': ')}
      </StatusBadge>
      {nextTryAt !== null && (
        <span className="muted">
          Next attempt <Moment at={nextTryAt} />
        </span>
      )}
      {lost > 0 && (
        <span className="muted">
          {counted(lost, 'event')} not sent. {lostReason}
        </span>
      )}
    </div>
  )
}

function TopicsInput({ label, value, onChange, error, disabled }: InputProps<EventTopic[]>) {
  return (
    <Checkbox.Group label={label} value={value} error={error} onChange={(topics) => onChange(topics as EventTopic[])}>
      <div className="stack gap-8 top-8">
        {Object.entries(eventTopics).map(([topic, { label, description }]) => (
          <Checkbox key={topic} value={topic} label={label} description={description} disabled={disabled} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

function CertificateInput({ onChange, ...input }: InputProps<string>) {
  return (
    <Textarea
      {...input}
      autosize
      minRows={2}
      maxRows={6}
      placeholder="-----BEGIN CERTIFICATE-----"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

type TestProps = Omit<DrawnProps<Parameters<typeof form.toDraft>[0], EventDestination>, 'isFirst'>

/** Sends a test event to the destination as entered. */
function SendTest({ form: { values }, busy, edited }: TestProps) {
  const [isTesting, test] = useBusy(async () => {
    const { isFromStart: _, ...draft } = form.toDraft(values, edited)
    showTested([await call(eventDestinations.test, { body: { ...draft, ...(edited !== 'new' && { id: edited.id }) } })])
  })
  return (
    <Button variant="default" onClick={test} loading={isTesting} disabled={busy || values.address.trim() === ''}>
      Send test
    </Button>
  )
}
