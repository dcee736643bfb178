import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { startAgent, type TestAgent } from '#agent/testing/startAgent.ts'
import { makeTree } from '#deploy/bench/tree.ts'
import { slowed } from '#deploy/local/testing/slowed.ts'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let agent: TestAgent
let polar: number
let natsUrl: string
let seedFile: string
let page: typeof visit.page
let person: ReturnType<typeof hands>
beforeAll(async () => {
  page = visit.page
  person = hands(visit)
  await page.browserContext().overridePermissions(visit.product.address, ['clipboard-read', 'clipboard-write'])
})

const press = (name: string) => person.press(name)
const write = (field: string, words: string) => person.write(field, words)
const see = (words: string | RegExp) => person.see(words)
const look = (name: string) => lookAt(visit, name)
const text = () => page.evaluate(() => document.body.innerText)
const focused = () =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)
const hint = (words: string) =>
  page.evaluate(
    (words) =>
      [...document.querySelectorAll('[title]')]
        .find(({ textContent }) => textContent?.includes(words))
        ?.getAttribute('title'),
    words,
  )

test('the section is closed at first, and shows the built-in agent, which cannot be deleted', async () => {
  await signInAt(visit, '/settings/data')
  await see('Agents\n1')
  expect(await text()).not.toContain('Built-in agent')
  await press('Agents')
  await see('Built-in agent')
  await press('Delete Built-in agent')
  expect(await page.$('[role="dialog"]')).toBeNull()
  expect(await page.$eval('[aria-label="Delete Built-in agent"]', (button) => button.getAttribute('title'))).toBe(
    'The built-in agent cannot be deleted',
  )
  expect(await look('agents')).toEqual([])
})

test('an agent needs a name of its own', async () => {
  await press('Add new agent')
  await press('Add agent')
  await see('Name must not be blank')
  expect(await look('agents-adding')).toEqual([])
  await write('Name of the new agent', 'built-in AGENT')
  await page.keyboard.press('Enter')
  await see('Name should be unique, built-in AGENT already exists')
  await page.keyboard.press('Escape')
  expect(await focused()).toBe('Add new agent')
})

test('what an agent starts with is shown once, and only the button closes it', async () => {
  await press('Add new agent')
  await write('Name of the new agent', 'north')
  await page.keyboard.press('Enter')
  await see('north was added')
  expect(await look('agents-credential')).toEqual([])
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 500)
  await see('The seed is not shown again.')
  await press('Copy command')
  await see('Copied!')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const [, id = '', address = '', file = ''] =
    /^AGENT_ID=(\d+) NATS_URL=(\S+) AGENT_SEED_FILE=(\S+) /.exec(await copied()) ?? []
  natsUrl = address
  seedFile = join(visit.scratch, file)
  await press('Copy seed')
  await expect.poll(copied).toMatch(/^SU\w{56}$/)
  const seed = await copied()
  writeFileSync(seedFile, seed)
  await press('Done')
  await person.closed()
  await see('Unknown')
  expect(await page.content()).not.toContain(seed)
  polar = Number(id)
  agent = startAgent(natsUrl, polar, { AGENT_SEED_FILE: seedFile })
})

test('its state changes while one looks on', async () => {
  await see(/Active · \d+\.\d+\.\d+/)
  expect(await hint('Active')).toBe('Connected in the last 15 seconds')
  const path = join(visit.scratch, 'tree')
  makeTree(path, 20_000)
  const id = await visit.product.addStorage({ name: 'Dailies', path, server: { id: polar } })
  const { goOn } = slowed(agent.child.pid)
  await visit.product.call('POST', '/v1/scans/volumes/ids', [id])
  await see(/Dailies \S+ entries\/s/)
  expect(await look('agents-active')).toEqual([])
  await goOn()
  await person.seeNo(/entries\/s/)
  // It is still being committed, and cannot be deleted until that is over.
  await expect.poll(async () => (await visit.product.call('DELETE', `/volumeSettings/${id}`)).status).toBe(204)
  agent.child.kill('SIGKILL')
  await expect.poll(text, { timeout: 40_000 }).toContain('Inactive')
  expect(await hint('Inactive')).toMatch(/^Last active \d{4}-\d\d-\d\d \d\d:\d\d, just now$/)
})

test('a second machine with the same key is refused until it is accepted, after a question that names both', async () => {
  const start = (state: string) =>
    startAgent(natsUrl, polar, {
      AGENT_SEED_FILE: seedFile,
      AGENT_STATE: join(visit.scratch, state),
      LOG_LEVEL: 'silent',
    })
  const [first, second] = [start('first'), start('second')]
  await see('Second machine refused')
  expect(await hint('Second machine refused')).toMatch(/\(machine .* holds the key of this agent\. .* gets no tasks/)
  await press('Accept second machine of north')
  await see(/becomes the machine of agent north\. .* gets no more tasks, and scans that it has begun end\./)
  expect(await look('agents-accepting')).toEqual([])
  await press('Accept machine')
  await see(/north now runs on .* \(machine/)
  await person.closed()
  for (const { child } of [first, second]) child.kill('SIGKILL')
  await person.seeNo('Second machine refused')
})

test('an agent is renamed in its row: Escape leaves its name, Enter saves the new one', async () => {
  await press('Rename north')
  expect(await focused()).toBe('New name of north')
  await page.keyboard.press('Escape')
  expect(await focused()).toBe('Rename north')
  await press('Rename north')
  await write('New name of north', ' ')
  await page.keyboard.press('Enter')
  await see('Name must not be blank')
  expect(await look('agents-renaming')).toEqual([])
  await write('New name of north', 'polar')
  await page.keyboard.press('Enter')
  await see('north is now called polar')
  await expect.poll(focused).toBe('Rename polar')
})

test('a file storage is given to one of several agents, which then stays', async () => {
  await press('Add file storage')
  await person.press('polar', 'radio')
  expect(await look('agents-of-storage')).toEqual([])
  await press('Cancel')
  await person.closed()
  await visit.product.addStorage({ name: 'Films', path: '/mnt/films', server: { id: polar } })
  const row = () => page.$eval('table[aria-label="On-Premises"] tbody', (body) => body.innerText)
  await expect.poll(row).toMatch(/Films[^]*polar/)
  await press('Delete polar')
  await press('Delete agent')
  await see('Agent polar still scans Films. Assign another agent to each first.')
  await person.closed()
})

test('an agent is deleted after a question that names it', async () => {
  await press('Delete Films')
  await press('Delete storage')
  await see('Films was deleted')
  await person.closed()
  await press('Delete polar')
  await see('Are you sure you want to delete agent polar?')
  expect(await look('agents-deleting')).toEqual([])
  await press('Delete agent')
  await see('polar was deleted')
  await expect.poll(() => page.$('[aria-label="Rename polar"]')).toBeNull()
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
