import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type EventDestination, eventDestinations, type EventTopic } from '#events/event-log/destinations.ts'
import { today } from '#client/testing/examples.ts'
import { answer, pageWith } from '#client/testing/fakeApi.ts'
import { draw } from '#client/testing/render.tsx'
import { EventDestinations } from './EventDestinations.tsx'

const topics: EventTopic[] = ['ACCESS', 'SETTINGS', 'CONTENT', 'JOBS', 'PRODUCT']
const siem: EventDestination = {
  id: 1,
  name: 'SIEM',
  kind: 'SYSLOG_TLS',
  address: 'siem.example.com:6514',
  topics,
  authority: null,
  header: null,
  isPasswordLost: false,
  behind: 0,
  sentAt: `${today}T10:00:00.000Z`,
  error: null,
  nextTryAt: null,
  lost: 0,
  lostReason: null,
}
const list = (...destinations: EventDestination[]) => answer(eventDestinations.list, pageWith(destinations))

test('an administrator adds a destination, tests it as entered, and deletes it', async () => {
  const { person, api } = await draw(<EventDestinations />, {
    answers: [
      list(),
      answer(eventDestinations.test, { to: 'SIEM', error: 'siem.example.com:6514 refused the connection' }),
      answer(eventDestinations.create, () => {
        api.answer(list(siem))
        return { id: 1 }
      }),
      answer(eventDestinations.remove, () => api.answer(list())),
    ],
  })
  await person.see('No destinations yet. A SIEM can receive the event log by syslog, OpenTelemetry or webhook.')
  await person.press('Add destination')
  await person.see(/Nothing is lost/)
  await person.write('Name', 'SIEM')
  await person.write('Host and port', 'siem{Enter}')
  await person.see('Address must be a host and a port, such as siem:6514')
  await person.write('Host and port', 'siem.example.com:6514')
  await person.press('Jobs and schedules', 'checkbox')
  await person.press('Send test')
  await person.see('Test failed. SIEM: siem.example.com:6514 refused the connection')
  api.answer(answer(eventDestinations.test, { to: 'SIEM', error: null }))
  await person.press('Send test')
  await person.see('Test sent to SIEM')
  await person.press('Save destination')
  await person.see('Destination SIEM was created')
  await person.see('Up to date')
  const draft = { name: 'SIEM', kind: 'SYSLOG_TLS', address: siem.address, header: null, authority: null }
  const chosen = topics.filter((topic) => topic !== 'JOBS')
  expect(api.inputs(eventDestinations.create)).toMatchObject([
    { body: { ...draft, topics: chosen, isFromStart: false } },
  ])
  expect(api.inputs(eventDestinations.test)).toMatchObject([{ body: draft }, { body: draft }])
  await person.press('Delete SIEM')
  await person.see('Events that SIEM has not received are not sent. They stay in the event log.')
  await person.press('Delete destination')
  await person.see('Destination SIEM was deleted')
})

test('the list shows how far each destination is, and why; a secret is never shown and kept unless it is entered', async () => {
  const hidden = 'https://collector.example.com/••••••••'
  const failing = {
    ...siem,
    behind: 12_345,
    error: 'siem.example.com:6514 refused the connection',
    nextTryAt: siem.sentAt,
    lost: 7,
    lostReason: 'Deleted by the data retention before they were sent',
  }
  const otlp: EventDestination = {
    ...siem,
    id: 2,
    name: 'Collector',
    kind: 'OTLP',
    address: hidden,
    header: 'Authorization',
    behind: 100_001,
    lost: 1,
    lostReason: 'Refused by the receiver: too old',
  }
  const { person, api } = await draw(<EventDestinations />, {
    answers: [
      list(failing, otlp, { ...siem, id: 3, name: 'Lost', isPasswordLost: true }),
      answer(eventDestinations.update),
      answer(eventDestinations.test, { to: 'Collector', error: null }),
    ],
  })
  await person.see('12,345 events behind: siem.example.com:6514 refused the connection')
  await person.see('7 events not sent. Deleted by the data retention before they were sent')
  await person.see('More than 100,000 events behind')
  await person.see('1 event not sent. Refused by the receiver: too old')
  await person.see('Encrypted with a different server key. Enter the address and secret again')
  await person.press('Edit Collector')
  await person.press('Send test')
  await person.see('Test sent to Collector')
  expect(api.inputs(eventDestinations.test)).toMatchObject([{ body: { id: 2, address: hidden, secret: null } }])
  expect(screen.queryByLabelText('Also send earlier events')).toBeNull()
  await person.see('Secret header')
  await person.press('Save destination')
  await person.see('Destination Collector was updated')
  expect(api.inputs(eventDestinations.update)).toMatchObject([
    { params: { id: 2 }, body: { address: hidden, header: 'Authorization', secret: null } },
  ])
})
