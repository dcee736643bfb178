import { expect, test } from 'vitest'
import type { Role } from '#events/contract/needs.ts'
import { createApp } from '#server/app.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { sendDue } from '#server/messages/notifications/sendDue.ts'
import { useMailServer } from '#server/messages/notifications/testing.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { readPdf } from '#server/platform/testing/readPdf.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testUser } from '#server/testing.ts'
import { startServerWorker } from '#server/workers/tasks/index.ts'
import { reportTasks } from './index.ts'
import { launchDue } from './startReports.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const app = createApp(platform, routesOf(platform))
/** In no name that the limited user sees. */
const word = 'Qzxjvqu'
const day = '2026-01-01'
const [films, vault] = [await newVolume(platform, 'Films'), await newVolume(platform, `${word} storage`)]
const file = (path: string, inode: number, size: number) => ({ path, inode, size, modified: 1_640_000_000 })
await scanFolders(platform, { volumeId: films, indexingDate: day }, [
  {
    path: '',
    entries: [
      { path: '/aurora', isDirectory: true, inode: 2 },
      { path: `/${word}`, isDirectory: true, inode: 3 },
    ],
  },
  { path: '/aurora', entries: [file('/aurora/one.mov', 4, 10), file('/aurora/copy.mov', 5, 900)] },
  { path: `/${word}`, entries: [file(`/${word}/${word}.mov`, 6, 70), file(`/${word}/copy.mov`, 7, 900)] },
])
await scanFolders(platform, { volumeId: vault, indexingDate: day }, [
  { path: '', entries: [file('/copy.mov', 8, 900), file(`/${word}.mov`, 9, 4_000)] },
])

const folder = (path: string) => ({ storageId: films, path })
const limitTo = (userId: number, folders: object[], projects: number[] = []) =>
  db
    .insertInto('limits')
    .values({ userId, everything: false, projects, storages: [], folders: JSON.stringify(folders) })
    .onConflict((on) => on.column('userId').doUpdateSet({ folders: JSON.stringify(folders), projects }))
    .execute()
const user = async (roles: Role[] = ['ROLE_PROJECT_MANAGER'], folders?: object[]) => {
  const { id, name } = await testUser(db, roles)
  if (folders) await limitTo(id, folders)
  return { id, name, ask: asUser(app, await openSession(db, id, '127.0.0.1')) }
}
const anna = await user(undefined, [folder('/aurora')])
const others = await user()
const path = '/api/v1/reports/templates'
const query = { searchQueries: [{ name: { wildcard: '*.mov' } }] }
const search = (name: string, of: object = {}) => ({
  name,
  type: 'SEARCH_QUERY',
  parameters: { searchQueryNode: query },
  ...of,
})
const create = async ({ ask }: typeof anna, draft: object): Promise<number> =>
  (await ask('POST', path, draft).expect(200)).body.id
const runsOf = async ({ ask }: typeof anna, id: number) =>
  (await ask('GET', `/api/v1/reports/${id}/runs`).expect(200)).body.elements
async function work(id: number): Promise<void> {
  const worker = startServerWorker(platform, 'RUN_REPORT', reportTasks(platform), 50)
  const status = async () => (await runsOf(others, id))[0].status
  await expect.poll(status, { timeout: 30_000 }).toMatch(/SUCCESS|FAILURE/)
  await worker.stop()
}
const run = async (by: typeof anna, id: number) => {
  const { jobId } = (await by.ask('POST', `${path}/${id}/jobs`).expect(200)).body
  await work(id)
  return jobId
}

test('a report of a limited user counts, finds and tags what they see, and says so', async () => {
  const id = await create(anna, search('Weekly', { tags: ['found'], checks: [{ rule: 'MORE_FILES_THAN', value: 1 }] }))
  const jobId = await run(anna, id)
  const found = { numberOfFilesFound: 2, numberOfFilesTotal: 2, numberOfFoldersTotal: 1, sizeOfFilesTotal: 910 }
  expect((await anna.ask('GET', `${path}/${id}`).expect(200)).body).toMatchObject({
    ...found,
    isLimited: true,
    check: { state: 'FAILED', reason: '2 files match; the limit is 1' },
  })
  expect(await runsOf(anna, id)).toMatchObject([
    { ...found, isKept: true, reportTag: expect.stringContaining(`#${id}`) },
  ])
  expect((await anna.ask('GET', `/api/v1/jobs/${jobId}`).expect(200)).body.result).toMatchObject({
    files: 2,
    bytes: 910,
  })
  expect((await anna.ask('GET', '/api/v1/reports/checks').expect(200)).body).toHaveLength(1)
  const tagged = await clickhouse.rows<{ name: string }>(
    sql`SELECT name FROM entry_tags WHERE tag = 'found' ORDER BY name`,
  )
  expect(tagged).toEqual([{ name: 'copy.mov' }, { name: 'one.mov' }])
  // For those who see everything it isn't the whole.
  expect((await others.ask('GET', `${path}/${id}`).expect(200)).body).toMatchObject({ ...found, isLimited: true })
})

test('copies outside the limits do not count, and storages outside are as if they never existed', async () => {
  const source = (id: number, path = '/') => ({ type: 'VOLUME', id, path })
  const compared = (references: object[], comparison: object[]) => ({
    type: 'DUPLICATED',
    parameters: { references, comparison },
  })
  const within = await create(anna, { name: 'Within', ...compared([source(films)], [source(films)]) })
  await run(anna, within)
  expect(await runsOf(anna, within)).toMatchObject([
    { status: 'SUCCESS', numberOfFilesFound: 0, numberOfFilesTotal: 2 },
  ])
  const reasons = []
  for (const storage of [vault, 9_999]) {
    const id = await create(anna, {
      name: `Of ${storage}`,
      ...compared([source(storage, `/${word}`)], [source(films)]),
    })
    await run(anna, id)
    const { body } = await anna.ask('GET', `${path}/${id}`).expect(200)
    expect(body.parameters.references).toMatchObject([{ volumeName: 'Invalid', path: '/' }])
    reasons.push((await runsOf(anna, id))[0].reason.replace(String(storage), '?'))
  }
  expect(reasons[0]).toBe(reasons[1])
  const place = { searchQueries: [{ volumeId: { values: [vault] } }] }
  const checks = [{ rule: 'MORE_FILES_THAN', value: 1 }]
  const named = await create(anna, search('Named', { parameters: { searchQueryNode: place }, checks }))
  await run(anna, named)
  expect((await anna.ask('GET', `${path}/${named}`).expect(200)).body.check.reason).toBe(`there is no data of ${vault}`)
})

test('reports of others are neither listed nor changed, and are the same 404 as those that never existed', async () => {
  const id = await create(others, search(`${word} report`, { checks: [{ rule: 'MORE_FILES_THAN', value: 1 }] }))
  await run(others, id)
  const { body, text } = await anna.ask('GET', path).expect(200)
  expect([text.includes(word), body.total]).toEqual([false, body.elements.length])
  expect((await anna.ask('GET', '/api/v1/reports/checks').expect(200)).text).not.toContain(word)
  const [{ id: runId }] = await runsOf(others, id)
  const calls = (report: number) =>
    [
      ['GET', `${path}/${report}`],
      ['GET', `/api/v1/reports/${report}/jobs`],
      ['GET', `/api/v1/reports/${report}/runs`],
      ['GET', `/api/v1/reports/${report}/comparison?from=${runId}&to=${runId}`],
      ['GET', `/api/v1/reports/${report}/comparison/entries?from=${runId}&to=${runId}&difference=NEW`],
      ['POST', `${path}/${report}/jobs`],
      ['PUT', `${path}/${report}`, search('Other')],
      ['DELETE', `${path}/${report}`],
    ] as const
  for (const [at, [method, address, sent]] of calls(id).entries()) {
    const [, never] = calls(99_999)[at]!
    const answer = await anna.ask(method, address, sent).expect(404)
    const nothing = await anna.ask(method, never, sent).expect(404)
    expect(answer.text.replaceAll(String(id), '?')).toBe(nothing.text.replaceAll('99999', '?'))
  }
  // An error about a taken name would show that the other report exists. Their tags differ.
  const same = await create(anna, search(`${word} report`))
  await run(anna, same)
  const [mine] = await runsOf(anna, same)
  expect(mine.reportTag).not.toBe((await runsOf(others, id))[0].reportTag)
  await anna.ask('DELETE', `${path}/${same}`).expect(204)
  const ticket = await create(anna, search('Ticket'))
  const numbered = await create(others, search(`Ticket #${ticket}`))
  for (const [by, report] of [
    [anna, ticket],
    [others, numbered],
  ] as const)
    await run(by, report)
  expect((await runsOf(others, numbered))[0].reportTag).not.toBe((await runsOf(others, ticket))[0].reportTag)
})

test('figures counted within other limits are hidden, also those from before the limits', async () => {
  const bob = await user()
  const id = await create(bob, search('Mine', { checks: [{ rule: 'BYTES_GREW_BY', value: 1 }] }))
  const before = await run(bob, id)
  const isHidden = async () => {
    const [last] = await runsOf(bob, id)
    expect(last).toMatchObject({
      numberOfFilesFound: null,
      sizeOfFilesTotal: null,
      check: null,
      isKept: false,
      reportTag: null,
      reason: 'Counted within other limits. Run the report again.',
    })
    const { body } = await bob.ask('GET', `${path}/${id}`).expect(200)
    expect(body).toMatchObject({ numberOfFilesFound: null, reportTag: null, jobs: [], check: { state: 'UNKNOWN' } })
    const comparison = `comparison?from=${last.id}&to=${last.id}`
    expect((await bob.ask('GET', `/api/v1/reports/${id}/${comparison}`).expect(409)).body.code).toBe('not-kept')
  }
  await limitTo(bob.id, [folder('/aurora')])
  await isHidden()
  await bob.ask('GET', `/api/v1/jobs/${before}`).expect(404)
  await run(bob, id)
  // The earlier bytes are of everything: there is nothing to compare with.
  expect((await runsOf(bob, id))[0]).toMatchObject({ numberOfFilesFound: 2, check: { state: 'UNKNOWN' } })
  await limitTo(bob.id, [folder(`/${word}`)])
  await isHidden()
  await limitTo(bob.id, [folder('/aurora')])
  expect((await runsOf(bob, id))[0]).toMatchObject({ numberOfFilesFound: 2 })
})

test('tags of reports that ran within other limits are neither listed nor searched', async () => {
  const bob = await user()
  const id = await create(bob, search('Copies of Falcon'))
  const ofOthers = await create(others, search('Of others'))
  for (const report of [id, ofOthers]) await run(others, report)
  const tags = [(await runsOf(others, id))[0].reportTag, (await runsOf(others, ofOthers))[0].reportTag]
  const seen = async () => {
    const names: string[] = (await bob.ask('GET', '/api/v1/files/reports').expect(200)).body
    const queries = [
      'reports=Copies of Falcon',
      ...tags.flatMap((tag) => [`report=${encodeURIComponent(tag)}`, `tag=${encodeURIComponent(tag)}`]),
    ]
    const totals = queries.map(
      async (query) => (await bob.ask('GET', `/api/files/search?${query}`).expect(200)).body.total,
    )
    return [names.filter((name) => /Falcon|others/.test(name)), await Promise.all(totals)]
  }
  expect(await seen()).toEqual([
    ['Copies of Falcon', 'Of others'],
    [6, 6, 6, 6, 6],
  ])
  await limitTo(bob.id, [folder('/aurora')])
  expect(await seen()).toEqual([[], [0, 0, 0, 0, 0]])
  await run(bob, id)
  tags[0] = (await runsOf(bob, id))[0].reportTag
  expect(await seen()).toEqual([[`Copies of Falcon #${id}`], [0, 2, 2, 0, 0]])
  await limitTo(bob.id, [folder(`/${word}`)])
  expect(await seen()).toEqual([[], [0, 0, 0, 0, 0]])
})

test('the scheduled email of a limited report has no word from outside, says so, and goes only to those who see all of it', async () => {
  const { port, arrived } = await testMailServer()
  await useMailServer(db, port, 'test.test')
  const recipient = async (name: string, folders?: object[]) => {
    const { id } = await user([], folders)
    const email = `${name}@test.test`
    await db.updateTable('users').set({ email, confirmedEmail: email }).where('id', '=', id).execute()
    return id
  }
  await recipient('elsewhere', [folder(`/${word}`)])
  await recipient('wider', [folder('/')])
  const moved = await recipient('moved', [folder('/aurora')])
  await recipient('boss')
  const addresses = ['elsewhere', 'wider', 'moved', 'boss', 'client'].map((name) => `${name}@test.test`)
  const schedule = { cron: '0 0 0 * * ?' }
  const id = await create(anna, search('Mailed', { schedule, delivery: { addresses } }))
  expect(await launchDue(platform, new Date(Date.now() + 2 * 86_400_000))).toBe(1)
  await work(id)
  // Own jobs include those that the schedule started.
  expect((await anna.ask('GET', `${path}/${id}`).expect(200)).body.jobs).toHaveLength(1)
  await limitTo(moved, [folder(`/${word}`)])
  await sendDue(platform, 'email', { now: () => new Date(Date.now() + 1_000) })
  expect(arrived.map(({ to }) => to[0]).sort()).toEqual(['boss@test.test', 'client@test.test', 'wider@test.test'])
  for (const { text, files } of arrived) {
    const pdf = readPdf(files[0]!.bytes).flat().join(' ').replaceAll(/\s+/g, ' ')
    const csv = files[1]!.bytes.toString()
    expect(text).toMatch(/^Of your 1 folder\.\n/)
    expect(text).toContain('- Files found: 2 of 2\n')
    expect(pdf).toContain('Of your 1 folder.')
    expect(files[1]!.name).toContain(', of your 1 folder')
    for (const part of [text, pdf, csv]) expect(part.toLowerCase()).not.toContain(word.toLowerCase())
    expect(csv).toContain('one.mov')
  }
})

test('a report of everything is mailed to no user with limits, also to one who was limited after its run', async () => {
  const { port, arrived } = await testMailServer()
  await useMailServer(db, port, 'test.test')
  const { id: late } = await user([])
  const email = 'late@test.test'
  await db.updateTable('users').set({ email, confirmedEmail: email }).where('id', '=', late).execute()
  const id = await create(others, search('Everything', { delivery: { addresses: [email, 'open@test.test'] } }))
  await run(others, id)
  await limitTo(late, [folder('/aurora')])
  await sendDue(platform, 'email', { now: () => new Date(Date.now() + 1_000) })
  expect(arrived.map(({ to }) => to)).toEqual([['open@test.test']])
})

test('the report of a deleted user with limits finds nothing, and that of another one stays', async () => {
  const admin = await user(['ROLE_ADMIN'])
  await db.updateTable('users').set({ passwordHash: 'any' }).where('id', '=', admin.id).execute()
  for (const [folders, status] of [
    [[folder('/aurora')], 'FAILURE'],
    [undefined, 'SUCCESS'],
  ] as const) {
    const gone = await user(['ROLE_PROJECT_MANAGER'], folders && [...folders])
    const id = await create(gone, search(`Of ${gone.name}`))
    await admin.ask('DELETE', `/api/v1/users/${gone.id}`).expect(204)
    await run(others, id)
    expect((await runsOf(others, id))[0]).toMatchObject({ status })
  }
})
