import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { configurations } from '#events/configurations.ts'
import { jobs } from '#events/jobs/calls.ts'
import { policies } from '#events/policies/policies.ts'
import { policyRuns, policySavings, quarantined } from '#events/policies/runs.ts'
import { simulatePolicy } from '#events/policies/simulations.ts'
import { jobDetails } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { paused, policy, policyAnswers, run, simulation } from './testing/policyExamples.ts'

const tib = 2 ** 40
const openPolicy = (...others: readonly FakeAnswer[]) => open('/policy/7', { answers: policyAnswers(...others) })

test('without policies, the list explains them and leads to the search', async () => {
  const { person } = await open('/policies', { answers: policyAnswers(answer(policies.list, pageWith([]))) })
  await person.see(/acts on them once you have approved its list/)
  await person.press('Search for files', 'link')
  expect(location.pathname).toBe('/search')
})

test('the list shows runs that wait, what is in quarantine and what was saved', async () => {
  const money = [{ currencySymbol: '$', perYear: 1_200 }]
  const month = { policyId: 7, project: null, files: 3, bytes: tib, money }
  const { person } = await open('/policies', {
    answers: policyAnswers(
      answer(policies.list, pageWith([policy({ waiting: 2, quarantine: { files: 12, bytes: 2 * tib } })])),
      answer(policySavings, [
        { ...month, month: '2026-01' },
        { ...month, month: '2026-02' },
        { ...month, month: '2026-02', project: { id: 3, name: 'Arrival' } },
        { ...month, month: '2026-02', project: { id: 3, name: 'Arrival' }, policyId: 8 },
      ]),
      answer(quarantined, [
        { volumeId: 1, files: 12, bytes: 2 * tib, comesFree: [{ day: '2026-03-30', files: 12, bytes: 2 * tib }] },
      ]),
    ),
  })
  await person.see('2 runs waiting for approval')
  await person.see('$3,600.00 per year')
  const freed = await screen.findByRole('table', { name: 'Freed by month and project' })
  expect([...freed.querySelectorAll('tbody tr')].map((row) => row.textContent)).toEqual([
    'February 2026No project31.00 TiB$1,200.00 per year',
    'February 2026Arrival62.00 TiB$2,400.00 per year',
    'January 2026No project31.00 TiB$1,200.00 per year',
  ])
  await person.see(/Films122\.00 TiB2\.00 TiB on 2026-03-30/)
})

test('one button pauses all policies, and resumes them', async () => {
  let value = 'false'
  const { person, api } = await open('/policies', {
    answers: policyAnswers(
      answer(configurations.list, () => [paused(value)]),
      answer(configurations.update, ({ body }) => {
        value = body[0]?.value ?? ''
        return [paused(value)]
      }),
    ),
  })
  await person.press('Pause all policies')
  await person.see('All policies are paused. No run starts until you resume them.')
  await person.press('Resume policies')
  await person.seeNo('No run starts until you resume them.')
  value = 'true'
  await person.press('Old films', 'link')
  await person.see('No run starts until you resume them.')
  expect(api.inputs(configurations.update).map(({ body }) => body[0]?.value)).toEqual(['true', 'false'])
})

test('a policy needs a search', async () => {
  const { person } = await open('/policy/new', { answers: policyAnswers() })
  await person.see(/A policy starts with a search/)
})

test('others see that only administrators have policies', async () => {
  const { person } = await open('/policy/new?extension=mov', { roles: ['ROLE_PROJECT_MANAGER'], answers: [] })
  await person.see('Only administrators can see and change policies.')
})

test('a search becomes a policy, with an age that the curve sets', async () => {
  const { person, api } = await open('/policy/new?extension=mov&volumeId=1', {
    answers: policyAnswers(answer(policies.create, { id: 7 })),
  })
  await person.see(/Extension: mov[^]*Storage: Films/)
  await person.see(
    /Untouched for 180 days would have freed 41\.0 TiB between 2025-01-01 and 2025-12-31; 2\.3 % of it was used again within 90 days, most of it by Grading\./,
  )
  await person.press('Show ages as table')
  await person.press('365 days')
  await person.see(/Untouched for 365 days would have freed 20\.2 TiB/)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Untouched for' }).value).toBe('365')
  await person.press('Create policy')
  await person.see('Name must not be blank')
  await person.write('Name', 'Old films')
  await person.choose('Then', 'Move to quarantine')
  await person.write('Delete after', '30')
  await person.press('Create policy')
  await person.see('Policy Old films was created')
  await waitFor(() => expect(location.pathname).toBe('/policy/7'))
  expect(api.inputs(policies.create)[0]?.body).toMatchObject({
    name: 'Old films',
    search: { filters: { extension: ['mov'], volumeId: [1] } },
    untouchedDays: 365,
    action: { kind: 'quarantine', deleteAfterDays: 30 },
    limits: { files: 10_000, bytes: 10 * tib, share: 5, twiceUsual: true },
    cron: null,
    quiet: null,
  })
})

test('the trial says what it lacks: history, access times, and earlier ones', async () => {
  const { person, api } = await open('/policy/new?extension=mov', {
    answers: policyAnswers(
      answer(simulatePolicy, ({ body }) =>
        simulation(body.days, { withoutAccessTimes: ['Films', 'Music'], keepsAccessTimes: false }),
      ),
    ),
  })
  await person.see("Access times aren't recorded on Films, Music.")
  await person.see('Only the newest access time of each file is kept')
  api.answer(answer(simulatePolicy, simulation([], { from: null, to: null, snapshots: 0 })))
  await person.choose('Then', 'Tag')
  await person.see('No history yet.')
  api.answer(refuse(simulatePolicy, { message: 'Unable to try the policy on the past' }))
  await person.choose('Then', 'Ask the owners')
  await person.see('Unable to try the policy on the past')
})

test('an age between those of the curve is tried too, and the files that were used again are listed', async () => {
  const { person, api } = await open('/policy/new?extension=mov', { answers: policyAnswers() })
  await person.write('Untouched for', '200')
  await person.see(/Untouched for 200 days would have freed/)
  expect(api.inputs(simulatePolicy).map(({ body }) => body.days.length)).toEqual([10, 1])
  await person.pressAt(screen.getByText('Files that were used again'))
  await person.see(/cut\.mov[^]*2025-04-11/)
})

test('files freed less than 90 days before the newest snapshot have no share that was used again yet', async () => {
  const { person, api } = await open('/policy/new?extension=mov', { answers: policyAnswers() })
  await person.press('Show months as table')
  await person.see(/September 2025[^]*%[^]*October 2025[^%]*not known yet[^%]*December 2025[^%]*not known yet/)
  const tried = (known: { files: number; bytes: number }, knownAgain = { files: 0, bytes: 0 }) => {
    const all = { files: 10, bytes: 10 * tib }
    const regret = { files: 1, bytes: tib, known, knownAgain }
    const total = { ...all, money: [], regret: { 30: regret, 90: regret, 365: regret } }
    return answer(simulatePolicy, ({ body }) => {
      const simulated = simulation(body.days)
      return { ...simulated, ages: simulated.ages.map((age) => ({ ...age, total, projects: [], owners: [] })) }
    })
  }
  api.answer(tried({ files: 4, bytes: 4 * tib }, { files: 1, bytes: tib }))
  await person.choose('Then', 'Tag')
  await person.see('25.0 % of it was used again within 90 days. This leaves out 6 files from the last 90 days.')
  api.answer(tried({ files: 4, bytes: 4 * tib }))
  await person.choose('Then', 'Ask the owners')
  await person.see('none of it was used again within 90 days. This leaves out 6 files from the last 90 days.')
  api.answer(tried({ files: 0, bytes: 0 }))
  await person.choose('Then', 'Tag')
  await person.see('1.00 TiB of it was used again so far.')
})

test('a changed policy keeps its limits, its times and its quiet hours', async () => {
  const quiet = { days: [1, 2], from: '07:00', to: '19:00' }
  const stored = policy({
    cron: '0 0 3 ? * SUN',
    quiet,
    limits: { files: null, bytes: null, share: 2.5, twiceUsual: false },
  })
  const { person, api } = await openPolicy(answer(policies.list, pageWith([stored])), answer(policies.update))
  await person.press('Paused', 'switch')
  await person.press('Save policy')
  await person.see('Policy Old films was saved')
  const { id: _, createdBy: __, nextRuns: ___, waiting: ____, ...draft } = stored
  expect(api.inputs(policies.update)[0]?.body).toEqual({ ...draft, paused: true })
})

test('an approval names files, bytes, storages and the effect, and is bound to the list', async () => {
  let state = run()
  const { person, api } = await openPolicy(
    answer(policyRuns.list, () => pageWith([state])),
    answer(policyRuns.files, {
      rows: [{ position: 1, path: '/mnt/films/old.mov', size: 5, place: '', leftOut: '' }],
      cursor: null,
    }),
    answer(policyRuns.approve, () => (state = run({ state: 'started', jobId: 9, jobStatus: 'RUNNING' }))),
  )
  await person.see('The first run of a policy needs approval')
  await person.see('/mnt/films/old.mov')
  await person.press('Approve …')
  const dialog = await screen.findByRole('dialog')
  await waitFor(() => expect(dialog.textContent).toContain('12 files, 2.00 TiB of Films.'))
  expect(dialog.textContent).toContain('They can be deleted after 30 days.')
  await person.press('Quarantine 12 files')
  await person.closed()
  expect(api.inputs(policyRuns.approve)).toEqual([{ params: { id: 3 }, body: { hash: 'abc' } }])
})

test('a run is declined', async () => {
  const { person, api } = await openPolicy(
    answer(policyRuns.list, pageWith([run()])),
    answer(policyRuns.files, { rows: [], cursor: null }),
    answer(policyRuns.decline, run({ state: 'declined' })),
  )
  await person.press('Decline')
  await waitFor(() => expect(api.inputs(policyRuns.decline)).toHaveLength(1))
})

test('files in quarantine are put back, some or all, and the result says what was in the way', async () => {
  const held = run({
    state: 'started',
    reasons: [],
    jobId: 9,
    jobStatus: 'SUCCESS',
    quarantine: { files: 12, bytes: 2 * tib, deleteOn: '2026-03-30' },
    undoJobs: [10],
  })
  const found = {
    at: '2026-03-01T10:00:00.000Z',
    target: null,
    storages: [{ volumeId: 1, there: 0, changed: 0, gone: 12, goneBytes: 2 * tib }],
  }
  const done = { toDo: 12, done: 12, bytesDone: 2 * tib, failed: 0, found }
  const failedPaths = [{ path: '/mnt/films/old.mov', reason: 'Another file has this path now' }]
  const { person, api } = await openPolicy(
    answer(policyRuns.list, pageWith([held])),
    answer(policyRuns.files, {
      rows: [{ position: 1, path: '/mnt/films/old.mov', size: 5, place: '', leftOut: '' }],
      cursor: null,
    }),
    answer(jobs.one, ({ params }) =>
      jobDetails(params.id, {
        type: params.id === 9 ? 'QUARANTINE_FILES' : 'PUT_BACK_FILES',
        payload: params.id === 9 ? { dataIntellPaths: [] } : { dataIntellPaths: [], ofJob: 9 },
        result: params.id === 9 ? done : { toDo: 1, done: 0, failed: 1, failedPaths },
        tasks: [],
      }),
    ),
    answer(policyRuns.undo, { jobId: 11 }),
  )
  await person.see(/Comes free2026-03-30/)
  await person.see(/12 files: 12 gone/)
  await person.see('Another file has this path now')
  await person.press('Put back all 12 files')
  await person.pressAt(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Put back all 12 files' }))
  await person.see('Job 11 puts the files back')
  await person.pressAt(screen.getByText('List of 12 files'))
  await person.press('Put back /mnt/films/old.mov', 'checkbox')
  await person.press('Put back 1 file')
  await person.pressAt(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Put back 1 file' }))
  await waitFor(() =>
    expect(api.inputs(policyRuns.undo).map(({ body }) => body.paths)).toEqual([[], ['/mnt/films/old.mov']]),
  )
})

test('a policy with files in quarantine is not deleted, and says why', async () => {
  const message = 'Policy Old films has files in quarantine. Put them back or delete them first.'
  const { person } = await openPolicy(refuse(policies.remove, { message }, 409))
  await person.press('Delete policy')
  await person.pressAt(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete policy' }))
  await person.see(message)
})
