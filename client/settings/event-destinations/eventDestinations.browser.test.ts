import { expect, test } from 'vitest'
import { certificate } from '#agent/simulator/certificate.ts'
import { readSyslog, startSyslogReceiver } from '#server/messages/event-destinations/testing/receivers.ts'
import { hands, look, signInAt, testVisit } from '../../testing.ts'

const visit = await testVisit()
const on = () => hands(visit)

test('the event log reaches a SIEM: by mouse it is added and tested; by keyboard a wrong address is shown and corrected', async () => {
  const types: string[] = []
  const { server, port } = await startSyslogReceiver((message) => types.push(readSyslog(message).type ?? ''))
  const { see, write, press, closed, key } = on()
  await signInAt(visit, '/settings')
  await press('Add destination')
  await write('Name', 'SIEM')
  await write('Host and port', `127.0.0.1:${port}`)
  await write('Trusted certificate', certificate.cert)
  await press('Send test')
  await see('Test sent to SIEM')
  expect(await look(visit, 'event-destination-form')).toEqual([])
  await press('Save destination')
  await closed()
  await see('Up to date')
  expect(types).toEqual(['DestinationTested', 'Created'])

  server.close()
  await press('Edit SIEM')
  await write('Host and port', 'nowhere')
  await key('Enter')
  await see('Address must be a host and a port, such as siem:6514')
  await write('Host and port', 'nowhere.invalid:6514')
  await key('Enter')
  await closed()
  await see(/1 event behind: There is no host named nowhere.invalid/)
  expect(await look(visit, 'event-destinations')).toEqual([])
})
