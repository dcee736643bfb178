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
  await press('Storages', 'link')
  await press('Add storage')
  await press('SMB share A Windows server, Samba or a NAS. Needs the host, the share and a user.')
  await write('Host', 'filer99.example.com')
  await write('Share Name', 'media')
  await write('Username', 'ana')
  await write('Password', 'wrong')
  await press('Next')
  const unknown = `The agent can't find the host "filer99.example.com". Check the name, or DNS on the agent's machine.`
  await expect.poll(refused).toBe(`Host: ${unknown}`)
  // 13 before, with a click on SMB that was lost, and credentials that stayed if the wizard was canceled.
  expect(steps()).toBe(8)
  await see('Continue anyway')
  await write('Host', 'filer1.example.com')
  await press('Next')
  await expect.poll(refused).toContain('Password: ')
  expect(await refused()).toContain('The user name or the password for //filer1.example.com/media is wrong')
  expect(await get('/v1/storages')).toMatchObject({ elements: [{ name: 'Films' }] })
  expect(await get('/v1/networkVolumes/credentials')).toMatchObject({ total: 0 })
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
  await press('SMTP Auth', 'switch')
  await press('TLS Enable', 'switch')
  await press('Update')
  await see('The configurations were updated.')
  await press('Alerts', 'link')
  await press('Add alert')
  await write('Name', `Nearly full, by ${input}`)
  await write('Threshold', '85')
  await press('Add channel')
  await choose('Service', 'Email')
  await write('Email addresses', 'storage@studio.example')
  await press('Save channel')
  await see('Channel Email was created')
  await press('Save alert')
  await see(`Alert Nearly full, by ${input} was created`)
  // 27 before, for two storages, and without those that are added later. Further alerts select the channel.
  expect(steps()).toBe(22)
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

test.each(inputs)('an alert when a storage fills up is tested and saved in 4 steps, by %s', async (input) => {
  await start()
  const { press, see, steps } = counting(visit, input)
  await press('Alerts', 'link')
  await press('Add alert')
  await press('Send test')
  await see(/Test failed\. Your email address: To send a test, add your email address to your profile/)
  await press('Save alert')
  await see('Alert Storages at 80 % was created')
  expect(steps()).toBe(4)
})

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))
