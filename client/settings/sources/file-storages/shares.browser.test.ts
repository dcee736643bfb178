import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { startProduct } from '#deploy/local/testing.ts'
import { ProblemAnswer } from '#events/contract/problem.ts'
import { fieldErrors } from '#client/app/form.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { labels, newFileStorage, shareDraft } from './fileStorageFields.ts'

const visit = await testVisit({ own: 'starts it again with another key' })
let person: ReturnType<typeof hands>
beforeAll(() => {
  person = hands(visit)
})

const shares = '/v1/networkVolumes'
const listed = async () => {
  const { answer } = await visit.product.call('GET', shares)
  return (answer as { elements: Record<string, unknown>[] }).elements
}
const dialog = () => visit.page.$eval('[role="dialog"]', (node) => (node as HTMLElement).innerText)
const fill = async (fields: Record<string, string>) => {
  for (const [field, words] of Object.entries(fields)) await person.write(field, words)
}

test('what a wizard refuses of a share is refused by the server in the same words, and none is added', async () => {
  await signInAt(visit, '/settings/data')
  await person.press('Add a new storage type')
  await person.see('Select a Storage Type')
  // The dialog takes the focus a moment after it is seen.
  await visit.page.waitForSelector('[role="dialog"] button:focus')
  await person.key('Enter')
  await person.see('Select Agent')
  await person.press('Next')
  await person.press('NFS', 'radio')
  const wrong = { host: '-oops', shareName: 'export', options: 'rw', path: '/a/../b' }
  await fill({ Name: 'Media', Host: wrong.host, 'Share Name': wrong.shareName, Options: wrong.options })
  await fill({ Path: wrong.path })
  await person.key('Tab')
  const { status, answer } = await visit.product.call('POST', shares, {
    ...shareDraft({ ...newFileStorage, ...wrong, name: 'Media', mountType: 'NFS' }),
  })
  expect(status).toBe(400)
  const said = Object.values(fieldErrors(ProblemAnswer.parse(answer).subErrors ?? [], labels)).toSorted()
  expect(said).toEqual([
    'Host must be a host name, an IPv4 address or an IPv6 address in brackets',
    'Options must not contain rw',
    "Path must not contain '..'",
    'Share Name must be an absolute path',
  ])
  for (const words of said) await expect.poll(dialog).toContain(words)
  expect(await person.isDisabled('Next')).toBe(true)
  expect(await look(visit, 'share-wrong')).toEqual([])
  expect(await listed()).toEqual([])
})

test('once it is right it is saved as it was written; a name that is taken leads back to its field', async () => {
  await visit.product.addStorage({ name: 'media', path: '/srv' })
  await fill({ Host: 'nas', 'Share Name': '/export', Options: 'vers=4.1', Path: '/shows' })
  await person.press('Next')
  await person.press('New price book')
  await fill({ Name: 'Warm', 'Currency Symbol': '€' })
  await person.write('Storage Price (GB/Year)', '0.5')
  await person.press('Add price book')
  await person.press('Next')
  await expect.poll(dialog).toMatch(/Media[^]*\/shows[^]*NFS[^]*nas[^]*\/export[^]*vers=4\.1[^]*Warm/)
  await person.press('Next')
  await person.press('Save')
  await expect.poll(dialog).toContain('Unable to create a File Storage for [Media]. Possible reasons: ')
  expect(await listed()).toEqual([])
  await person.press('Scan now', 'checkbox')
  await person.press('Close this message')
  await person.press('Save anyway')
  await expect.poll(dialog).toContain('Name should be unique, Media already exists')
  expect(await listed()).toEqual([])
  await person.write('Name', 'Shows')
  await person.press('Next')
  await person.press('Next')
  await person.press('Next')
  await person.press('Save')
  await person.press('Close this message')
  await person.press('Save anyway')
  await person.see('Shows was added')
  await person.closed()
  expect(await listed()).toMatchObject([
    {
      dataintellName: 'Shows',
      type: 'NFS',
      host: 'nas',
      shareName: '/export',
      options: 'vers=4.1',
      path: '/shows',
      networkVolumeCredential: null,
      storagePrice: { id: expect.any(Number) },
    },
  ])
  await person.see(/Shows\s+nas:\/export\s+\/shows[^]*NFS\s+Built-in agent\s+Warm/)
})

test('credentials are shown ten by ten, as many as were chosen here before, and never an empty page of them', async () => {
  const { press, see, closed, choose } = person
  const names = Array.from({ length: 11 }, (_, at) => `credentials ${10 + at}`)
  for (const name of names)
    await visit.product.call('POST', `${shares}/credentials`, { name, username: 'ana', password: 'of the share' })
  const table = 'table[aria-label="On-Premises credentials"]'
  const shown = () => visit.page.$$eval(`${table} tbody b`, (all) => all.map((one) => one.textContent))
  const sorted = () => visit.page.$eval(`${table} th:nth-child(2)`, (head) => head.getAttribute('aria-sort'))
  await expect.poll(shown).toEqual(names.slice(0, 10))
  const byName = () => person.pressAt(`${table} th button ::-p-text(Name)`)
  await byName()
  await expect.poll(sorted).toBe('ascending')
  await byName()
  await expect.poll(shown).toEqual(names.toReversed().slice(0, 10))
  await press('Next page')
  await expect.poll(shown).toEqual(names.slice(0, 1))
  expect(await look(visit, 'credentials-pages')).toEqual([])
  await press('Delete credentials credentials 10')
  await press('Delete credentials')
  await closed()
  await expect.poll(shown).toEqual(names.slice(1).toReversed())
  expect(await visit.page.$eval(table, (one) => (one as HTMLElement).innerText)).not.toMatch('No credentials yet.')
  await visit.product.call('POST', `${shares}/credentials`, { name: 'one more', username: 'ana', password: 'of it' })
  await see('11 credentials found')
  await choose('credentials per page', '25')
  await expect.poll(shown).toHaveLength(11)
  await visit.page.reload()
  await expect.poll(shown).toHaveLength(11)
  const { answer } = await visit.product.call('GET', `${shares}/credentials?size=50`)
  for (const { id } of (answer as { elements: { id: number }[] }).elements)
    await visit.product.call('DELETE', `${shares}/credentials/${id}`)
  await expect.poll(shown).toEqual([])
  await see('No credentials yet.')
})

test('passwords that another key opened are marked, until they are entered again', async () => {
  const { product } = visit
  await product.call('POST', `${shares}/credentials`, { name: 'Editors', username: 'ana', password: 'of the share' })
  await product.call('PUT', '/configurations', [{ name: 'spring.mail.password', value: 'of the mail server' }])
  // A page that is left alone asks for the product that is stopped.
  await visit.page.goto('about:blank')
  await product.stop()
  const environment = { DATAINTELL_SECRET_KEY: 'another key that has 32 characters' }
  visit.product = await startProduct(join(visit.scratch, 'data'), { environment })
  // The browser is still signed in: its cookies know no port.
  await visit.page.goto(`${visit.product.address}/settings`)
  await person.see('It was encrypted with a different key than the server has now: set it again.')
  expect(await look(visit, 'lost-mail')).toEqual([])
  await visit.page.goto(`${visit.product.address}/settings/data`)
  await person.see(/Editors\s+Enter the password again/)
  expect(await look(visit, 'lost-credentials')).toEqual([])
  await person.press('Edit credentials Editors')
  await person.see('It was encrypted with a different key than the server has now: enter it again.')
  await person.press('Save credentials')
  await person.see('Password must be between 1 and 255 characters')
  await visit.page.type('input[type="password"]', 'of the share')
  await person.press('Save credentials')
  await person.see('On-Premises credentials was updated successfully')
  await person.seeNo('Enter the password again')
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
