import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { usePrograms } from '#agent/systems/network-mount/testing.ts'
import { testMailServer, type TestMailServer } from '#server/platform/testing/mailServer.ts'
import { testVisit } from '#client/testing.ts'
import { counting, dashboardOf, inputs } from './steps.ts'

/** Fails like `mount.cifs`: one host is unknown, the other one has no access for guests. */
const mount = `case "$3" in
  //filer99*) echo 'mount error: could not resolve address for filer99.example.com: Unknown error' >&2 ;;
  *) echo 'mount error(13): Permission denied' >&2 ;;
esac
exit 32`
usePrograms({ mount })

const visit = await testVisit({ environment: { PATH: process.env['PATH'] } })
const start = dashboardOf(visit)
let mail: TestMailServer

const get = async (path: string) => (await visit.product.call('GET', path)).answer
/** Label of the focused field, and the error below it. */
const refused = () =>
  visit.page.evaluate(() => {
    const field = document.activeElement as HTMLInputElement | null
    const texts = field?.getAttribute('aria-describedby')?.split(' ') ?? []
    const error = texts.map((id) => document.getElementById(id)?.textContent).join(' ')
    return field?.getAttribute('aria-invalid') === 'true' ? `${field.labels?.[0]?.textContent}: ${error}` : undefined
  })

beforeAll(async () => {
  mail = await testMailServer()
  const path = join(visit.scratch, 'films')
  mkdirSync(path)
  writeFileSync(join(path, 'cut.mov'), 'a film')
  await visit.product.addStorage({ name: 'Films', path })
})

test.each(inputs)('a broken SMB share is refused at the wrong field, before it is saved, by %s', async (input) => {
  await start()
  const { press, write, see, steps } = counting(visit, input)
  await press('Settings', 'link')
  await press('Data', 'link')
  await press('Add a new storage type')
  await press('File Storage Scanned by an agent')
  await write('Name', 'Shows')
  await press('SMB', 'radio')
  await write('Host', 'filer99.example.com')
  await write('Share Name', 'media')
  await press('Next')
  const unknown = `The agent can't find the host "filer99.example.com". Check the name, or DNS on the agent's machine.`
  await expect.poll(refused).toBe(`Host: ${unknown}`)
  // 13 before, on the last step of the wizard and next to a button that saved it.
  expect(steps()).toBe(9)
  await see('Continue anyway')
  await write('Host', 'filer1.example.com')
  await press('Next')
  const noGuests = '//filer1.example.com/media does not let guests in: choose credentials'
  await expect.poll(refused).toContain(`Credentials: `)
  expect(await refused()).toContain(noGuests)
  expect(await get('/v1/storages')).toMatchObject({ elements: [{ name: 'Films' }] })
})

test.each(inputs)('a scan each night and an email at 85 % are set up, by %s', async (input) => {
  await start()
  const { press, write, choose, see, closed, steps } = counting(visit, input)
  await press('Settings', 'link')
  await press('Schedules', 'link')
  await press('Add schedule')
  await write('Name', `Nightly, by ${input}`)
  await choose('Job', 'Scan all storages')
  await press('Save')
  await closed()
  await press('Mail', 'link')
  await write('Hostname', '127.0.0.1')
  await write('Port', String(mail.port))
  await write('From', 'dataintell@studio.example')
  await press('Sign in', 'switch')
  await choose('Encryption', 'None')
  await press('Update')
  await see('The configurations were updated.')
  await press('Alerts', 'link')
  await press('Add alert')
  await write('Name', `Nearly full, by ${input}`)
  await write('Threshold', '85')
  await write('Other email addresses', 'storage@studio.example')
  await press('Save alert')
  await closed()
  // 27 before, for two storages, and without those that are added later.
  expect(steps()).toBe(19)
  expect(await get('/v1/schedules?jobGroup=SCANNER')).toContainEqual(
    expect.objectContaining({ name: `Nightly, by ${input}`, cron: '0 0 1 * * ?', jobClass: 'SCAN_ALL_STORAGES' }),
  )
  expect(await get('/v1/schedules?jobGroup=ALERT')).toContainEqual(
    expect.objectContaining({
      name: `Nearly full, by ${input}`,
      payload: expect.objectContaining({ threshold: 85, all: true }),
    }),
  )
  await press(`Send test of alert Nearly full, by ${input}`)
  await expect.poll(() => mail.arrived).toHaveLength(1)
  expect(mail.arrived.splice(0)).toMatchObject([{ to: ['storage@studio.example'], from: 'dataintell@studio.example' }])
  const others = { host: 'mail.example.com', username: 'someone', from: '' }
  await visit.product.call('PUT', '/configurations', [
    ...Object.entries(others).map(([name, value]) => ({ name: `spring.mail.${name}`, value })),
    { name: 'spring.mail.properties.mail.smtp.auth', value: 'true' },
    { name: 'spring.mail.properties.mail.smtp.starttls.enable', value: 'true' },
  ])
})

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))
