import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { acceptMachine, type Agent, type AgentInfo, agentInfos, agents, installer } from '#events/agents.ts'
import { dashboardWith, runningScan, today } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { draw, open } from '#client/testing/render.tsx'
import { builtIn, emptyDataTab } from '#client/settings/testing.ts'
import { AgentsSection } from './AgentsSection.tsx'

const north = { id: 2, name: 'north' }
const infoOf = (changes: Partial<AgentInfo> = {}): AgentInfo => ({
  ...north,
  version: '1.2.3',
  isActive: true,
  state: 'active',
  lastCheckedDate: `${today}T10:00:00.000Z`,
  lastActiveDate: `${today}T10:00:00.000Z`,
  runningTasks: 0,
  scanIds: [],
  machine: 'render-1',
  refused: null,
  ...changes,
})

const checksums = {
  script: 'a'.repeat(64),
  packages: [
    { platform: 'linux-x64', sha256: 'b'.repeat(64) },
    { platform: 'darwin-arm64', sha256: 'c'.repeat(64) },
  ],
}

/** Shows the section. */
async function show(rows: Agent[], infos: AgentInfo[] = [], ...answers: FakeAnswer[]) {
  const table = tableOf(agents, rows, { rowOf: ({ name }: { name: string }, id) => ({ id, name }) })
  return draw(<AgentsSection />, {
    answers: [...table, answer(agentInfos, infos), answer(installer, checksums), ...answers],
    live: { dashboard: dashboardWith({ scans: [runningScan({ scanId: 5, volumeName: 'Dailies' })] }) },
  })
}
const row = async (name: string) => {
  const table = await screen.findByRole('table', { name: 'Agents' })
  return (await within(table).findByRole('row', { name: new RegExp(name) })).textContent
}
const hint = (text: string) =>
  [...document.querySelectorAll<HTMLElement>('[title]')].find(({ textContent }) => textContent.includes(text))?.title

test('the section is open at first and folds, and the built-in agent cannot be deleted', async () => {
  const { person, api } = await open('/settings/data', { answers: emptyDataTab })
  await person.see('Agents1')
  await person.see('Built-in agent')
  await person.press('Agents')
  expect(document.body.textContent).not.toContain('Built-in agent')
  await person.press('Agents')
  expect(hint('Built in')).toBe('The server starts this agent itself')
  const remove = await screen.findByRole('button', { name: 'Delete Built-in agent' })
  expect(remove.title).toBe('The built-in agent cannot be deleted')
  await person.pressAt(remove)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(api.inputs(agents.remove)).toEqual([])
})

test('an agent needs a name of its own, and its seed and command are shown once', async () => {
  const rows: Agent[] = [builtIn]
  const { person, api, live } = await show(rows)
  await person.press('Add new agent')
  await person.press('Add agent')
  await person.see('Name must not be blank')
  const subErrors = [{ field: 'name', message: 'should be unique, built-in AGENT already exists' }]
  api.answer(refuse(agents.create, { message: 'Validation errors', subErrors }, 400))
  await person.write('Name of the new agent', 'built-in AGENT{Enter}')
  await person.see('Name should be unique, built-in AGENT already exists')
  rows.push(north)
  api.answer(
    answer(agents.create, {
      ...north,
      seed: 'SU1234',
      seedFile: 'agent.seed',
      natsUrl: 'nats://127.0.0.1:4222',
      command: 'AGENT_ID=2 node agent',
      natsBlock: null,
      caSha256: null,
    }),
  )
  await person.write('Name of the new agent', 'north{Enter}')
  await person.see('north was added')
  await person.see(
    "Copy the command now; it won't be shown again. Anyone who has the seed in it can sign in as this agent.",
  )
  await screen.findByRole('button', { name: 'Copy command' })
  const texts = [...screen.getByRole('dialog').querySelectorAll('pre')].map(({ textContent }) => textContent.trim())
  const { origin } = location
  const [shell = '', settings] = texts[0]?.split("<<'END'\n") ?? []
  expect(shell).toContain(`curl -fsSL ${origin}/agent/install.sh -o $d/install.sh`)
  expect(shell).toContain(`grep -q ^${checksums.script}`)
  expect(shell).toContain(`sudo sh $d/install.sh --server ${origin}`)
  expect(shell).not.toContain('SU1234')
  expect(settings?.split('\n')).toEqual([
    'AGENT_ID=2',
    'NATS_URL=nats://127.0.0.1:4222',
    'AGENT_SEED=SU1234',
    `PACKAGE_SHA256=linux-x64:${'b'.repeat(64)}`,
    `PACKAGE_SHA256=darwin-arm64:${'c'.repeat(64)}`,
    'END',
  ])
  expect(texts.slice(-2)).toEqual(['SU1234', 'AGENT_ID=2 node agent'])
  await person.see("Agents on other machines can't connect yet")
  await person.see(/AGENTS_LISTEN is not set/)
  expect(texts[1]).toContain('AGENTS_LISTEN=0.0.0.0:4222 AGENTS_TLS_CERT=agents.crt')
  await person.see('Waiting for north to connect…')
  api.answer(answer(agentInfos, [infoOf()]))
  live.send('changed', { type: 'changed', topics: ['agents'] })
  await person.see('north is connected.')
  expect(screen.getByRole('dialog').querySelector('output')?.textContent).toBe('Active · 1.2.3north is connected.')
  await person.keys('{Escape}')
  await person.press('Done')
  await person.closed()
  await person.seeNo('SU1234')
  await waitFor(async () => expect(await row('north')).toContain('north'))
})

test('a NATS of its own gets the accounts of the agent, and one with TLS a note about certificates', async () => {
  const { person, api } = await show([builtIn])
  api.answer(
    answer(agents.create, {
      ...north,
      seed: 'SU1234',
      seedFile: 'agent.seed',
      natsUrl: 'tls://nats.example.com:4222',
      command: 'AGENT_ID=2 node agent',
      natsBlock: 'AGENT_2: {}',
      caSha256: 'abc123',
    }),
  )
  await person.press('Add new agent')
  await person.write('Name of the new agent', 'north{Enter}')
  await person.see(/add these accounts to the configuration of your NATS/)
  await person.see(/CA_SHA256=abc123/)
  await person.see('AGENT_2: {}')
  await person.see('If the certificate of this server is not from a public authority')
  await person.seeNo('AGENTS_LISTEN is not set')
})

test('the command waits for the package, and a failure is shown with a retry', async () => {
  const { person, api } = await show([builtIn, north])
  expect(screen.queryByRole('button', { name: 'Update Built-in agent' })).toBeNull()
  api.answer(refuse(installer, { message: 'The agent package could not be built. See the log of the server.' }, 503))
  await person.press('Update north')
  await person.see('The agent package could not be built. See the log of the server.')
  api.answer(answer(installer, checksums))
  await person.press('Retry')
  await person.see(/AGENT_ID=2/)
  expect(screen.getByRole('dialog').textContent).not.toContain('AGENT_SEED')
  expect(api.inputs(installer)).toMatchObject([{ params: { id: 2 } }, { params: { id: 2 } }])
})

test('the state of an agent follows what the server reports, with its tasks and scans', async () => {
  const { person, api, live } = await show([builtIn, north], [infoOf({ runningTasks: 1, scanIds: [5] })])
  await person.see('Active · 1.2.3 · 1 task')
  expect(hint('Active')).toBe('Connected in the last 15 seconds')
  await person.see(/northActive · 1\.2\.3 · 1 taskDailies 250 entries\/s/)
  expect(await row('Built-in agent')).toBe('1Built-in agentBuilt in-')
  api.answer(answer(agentInfos, [infoOf({ state: 'inactive', isActive: false })]))
  live.send('changed', { type: 'changed', topics: ['agents'] })
  await person.see('Inactive · 1.2.3')
  expect(hint('Inactive')).toMatch(/^Last active 2026-03-01 \d\d:\d\d, /)
  api.answer(answer(agentInfos, [infoOf({ state: 'unknown', isActive: false, version: null, lastActiveDate: null })]))
  live.send('changed', { type: 'changed', topics: ['agents'] })
  await person.see('Unknown')
  expect(hint('Unknown')).toBe('Never connected. Start it on its machine.')
})

const second = { machine: 'render-2', code: 'abc', isOutdated: false }

test('a second machine with the same key is accepted after a question that names both', async () => {
  const { person, api, live } = await show([builtIn, north], [infoOf({ refused: second })], answer(acceptMachine))
  await person.see('Second machine refused')
  expect(hint('Second machine refused')).toBe(
    'render-1 uses the key of this agent. render-2 also uses it and gets no tasks.',
  )
  await person.press('Accept second machine of north')
  await person.see(
    'render-2 becomes the machine of agent north. render-1 gets no more tasks, and its running scans end.',
  )
  await person.press('Accept machine')
  await person.see('north now runs on render-2')
  expect(api.inputs(acceptMachine)).toMatchObject([{ params: { id: 2 }, body: { code: 'abc' } }])
  api.answer(answer(agentInfos, [infoOf()]))
  live.send('changed', { type: 'changed', topics: ['agents'] })
  await person.seeNo('Second machine refused')
})

test('an agent that is too old cannot be accepted', async () => {
  const { person } = await show([builtIn, north], [infoOf({ refused: { ...second, isOutdated: true } })])
  await person.see('Too old')
  expect(hint('Too old')).toBe(
    'The agent on render-2 is too old and gets no tasks. Update it to the version of this server.',
  )
  expect(screen.queryByRole('button', { name: 'Accept second machine of north' })).toBeNull()
})

test('an agent is renamed in its row: Escape keeps its name and Enter saves the new one', async () => {
  const { person, api } = await show([builtIn, north])
  await person.press('Rename north')
  await person.write('New name of north', 'south')
  await person.keys('{Escape}')
  await person.press('Rename north')
  await person.write('New name of north', ' {Enter}')
  await person.see('Name must not be blank')
  await person.write('New name of north', 'polar{Enter}')
  await person.see('north is now called polar')
  await waitFor(async () => expect(await row('polar')).toContain('polar'))
  expect(api.inputs(agents.update)).toMatchObject([{ params: { id: 2 }, body: { name: 'polar' } }])
})

test('an agent that still scans storages is kept, and another one is deleted once that is confirmed', async () => {
  const rows: Agent[] = [builtIn, north]
  const { person, api } = await show(rows)
  const message = 'Agent north still scans Films. Assign another agent to each first.'
  api.answer(refuse(agents.remove, { message }, 409))
  await person.press('Delete north')
  await person.see('Are you sure you want to delete agent north?')
  await person.press('Delete agent')
  await person.see(message)
  await person.closed()
  api.answer(answer(agents.remove, () => void rows.splice(1)))
  await person.press('Delete north')
  await person.press('Delete agent')
  await person.see('north was deleted')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Rename north' })).toBeNull())
})

test('a file storage is given to one of several agents', async () => {
  const list = tableOf(agents, [builtIn, north], { rowOf: (_, id) => ({ ...north, id }) })
  const { person } = await open('/storages/settings', {
    answers: [...emptyDataTab, ...list, answer(agentInfos, [infoOf()])],
  })
  await person.press('Add file storage')
  await person.press('north', 'radio')
  await person.see(/northActive · 1\.2\.3/)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'north' }).checked).toBe(true)
})
