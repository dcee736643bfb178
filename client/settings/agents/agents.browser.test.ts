import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startAgent } from '#agent/testing/startAgent.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
const focused = () =>
  visit.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)

test('a new agent is started with what its dialog copies, and its state is shown at once', async () => {
  const { press, write, see, type, key, enter, closed, seeNo } = hands(visit)
  const { page, product } = visit
  await page.browserContext().overridePermissions(product.address, ['clipboard-read', 'clipboard-write'])
  await signInAt(visit, '/settings/data')
  await enter('Add new agent')
  await expect.poll(focused).toBe('Name of the new agent')
  await key('Escape')
  await expect.poll(focused).toBe('Add new agent')
  await key('Enter')
  await type('north')
  await key('Enter')
  await see('north was added')
  await see(/PACKAGE_SHA256=\w+-\w+:[0-9a-f]{64}/)
  expect(await look(visit, 'agents-credential')).toEqual([])
  await key('Escape')
  await page.mouse.click(5, 500)
  await see("Copy the command now; it won't be shown again.")
  await see('Waiting for north to connect')
  await press('Copy command')
  await see('Copied!')
  const command = await page.evaluate(() => navigator.clipboard.readText())
  const [, id = '', natsUrl = '', seed = ''] =
    /^AGENT_ID=(\d+)\nNATS_URL=(\S+)\nAGENT_SEED=(SU\w{56})$/m.exec(command) ?? []
  const seedFile = join(visit.scratch, 'agent.seed')
  writeFileSync(seedFile, seed)
  const start = (state: string) =>
    startAgent(natsUrl, Number(id), {
      AGENT_SEED_FILE: seedFile,
      AGENT_STATE: join(visit.scratch, state),
      LOG_LEVEL: 'silent',
    })
  const first = start('first')
  await see('north is connected.')
  expect(await look(visit, 'agents-connected')).toEqual([])
  await press('Done')
  await closed()
  expect(await page.content()).not.toContain(seed)
  await see(/Active · \d+\.\d+\.\d+/)
  const second = start('second')
  await see('Second machine refused')
  await press('Accept second machine of north')
  await press('Accept machine')
  await see(/north now runs on .* \(machine/)
  await closed()
  for (const { child } of [first, second]) child.kill('SIGKILL')
  await seeNo('Second machine refused')
  await press('Rename north')
  await expect.poll(focused).toBe('New name of north')
  await key('Escape')
  await expect.poll(focused).toBe('Rename north')
  await key('Enter')
  await write('New name of north', 'polar')
  expect(await look(visit, 'agents-renaming')).toEqual([])
  await key('Enter')
  await expect.poll(focused).toBe('Rename polar')
})

test('an agent is updated by a command without its key', async () => {
  const { press, key, see, closed } = hands(visit)
  await press('Update polar')
  await see(/PACKAGE_SHA256=\w+-\w+:[0-9a-f]{64}/)
  expect(await visit.page.$eval('[role="dialog"] pre', (text) => text.textContent)).not.toContain('SEED')
  expect(await look(visit, 'agents-update')).toEqual([])
  await key('Escape')
  await closed()
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
