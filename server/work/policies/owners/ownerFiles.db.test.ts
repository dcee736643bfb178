import { sql as postgres } from 'kysely'
import request from 'supertest'
import { expect, test } from 'vitest'
import { dropUnused } from '#server/questions/selections/retention.ts'
import { answersOf } from './index.ts'
import { tagAnswered, withoutList } from './tagAnswered.ts'
import { bad, files, testOwners } from './testing.ts'

const { app, asked, platform, scan, stranger, tags } = await testOwners()
const { db } = platform

test("an owner sees and answers only their files of the list, which scans don't change", async () => {
  const { of, runId } = await asked('Renders')
  const page = of('ana@example.com')
  await scan([...files.slice(0, 1), { path: '/later.mov', owner: 'FILMS\\Ana', inode: 17 }], '2026-01-02')
  await dropUnused(platform, [], 0)
  const first = (await stranger('GET', `${page}?size=2`).expect(200).expect('Cache-Control', 'no-store')).body
  expect(first).toMatchObject({
    owner: 'FILMS\\Ana',
    policy: 'Renders',
    files: 3,
    bytes: 30,
    kept: 0,
    released: 0,
    cursor: 2,
  })
  expect(first.rows.map(({ position, path }: { position: number; path: string }) => [position, path])).toEqual([
    [1, `/Films/${bad}`],
    [2, '/Films/a1.mov'],
  ])
  const last = (await stranger('GET', `${page}?size=2&after=2`).expect(200)).body
  expect(last).toMatchObject({ rows: [{ position: 3, path: '/Films/a2.mov', answer: null }], cursor: null })
  expect((await stranger('GET', `${page}?after=3`).expect(200)).body).toMatchObject({ rows: [], cursor: null })
  await stranger('PUT', page, { answer: 'release', positions: null }).expect(204)
  await stranger('PUT', page, { answer: 'keep', positions: [2, 2] }).expect(204)
  const answered = (await stranger('GET', page).expect(200)).body
  expect(answered).toMatchObject({ kept: 1, released: 2 })
  expect(answered.rows.map(({ answer }: { answer: string }) => answer)).toEqual(['release', 'keep', 'release'])
  expect(await answersOf(db, runId)).toMatchObject({ asked: 2, kept: 1, released: 2 })
  for (const positions of [[4], [1, 4], [0], [-1], [2 ** 40], [], Array.from({ length: 1_001 }, () => 1), 'all'])
    await stranger('PUT', page, { answer: 'keep', positions }).expect(400)
  await stranger('PUT', page, { answer: 'keep', positions: Array.from({ length: 5_000 }, (_, i) => i + 1) }).expect(413)
  expect(await answersOf(db, runId)).toMatchObject({ kept: 1, released: 2 })
  await scan()
})

test('unknown, ended, malformed and deleted links get one answer, and guesses are limited without keeping owners out', async () => {
  const { of, policyId, runId, tokens } = await asked('Links')
  const [good, ended] = [of('ben@example.com'), of('ana@example.com')]
  await db
    .updateTable('policyOwnerLinks')
    .set({ expiresAt: new Date(Date.now() - 1) })
    .where('owner', '=', 'FILMS\\Ana')
    .execute()
  const secret = tokens.get('ben@example.com')!
  const wrong = [
    ended,
    ...['x'.repeat(43), 'x', 'x'.repeat(4_000), '%00', '..%2f', secret.slice(1), `${secret}x`].map(
      (end) => `/api/v1/owner-files/${end}`,
    ),
  ]
  const none = { message: 'This link has ended, or is incomplete', code: 'owner-link' }
  for (const path of wrong) {
    expect((await stranger('GET', path).expect(404)).body).toMatchObject(none)
    expect((await stranger('PUT', path, { answer: 'keep', positions: null }).expect(404)).body).toMatchObject(none)
  }
  const statuses: number[] = []
  for (let n = 0; n < 120; n++) statuses.push((await stranger('GET', wrong[1]!)).status)
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429])
  await stranger('GET', good).expect(200)
  await db.deleteFrom('failedPasswords').execute()
  expect(await answersOf(db, runId)).toMatchObject({ asked: 2, kept: 0 })
  await postgres`DELETE FROM policies WHERE id = ${policyId}`.execute(db)
  expect((await stranger('GET', good).expect(404)).body).toMatchObject(none)
})

test('opening a link changes nothing, and answers from other sites are refused', async () => {
  const { of, runId } = await asked('Scanners')
  const page = of('ben@example.com')
  for (const _ of [1, 2]) await stranger('GET', page).expect(200)
  await request(app).head(page).expect(200)
  await request(app).put(page).send({ answer: 'release', positions: null }).expect(403)
  await stranger('PUT', page, { answer: 'release', positions: null }).set('Sec-Fetch-Site', 'cross-site').expect(403)
  await request(app).post(page).send({ answer: 'release' }).expect(404)
  expect(await answersOf(db, runId)).toMatchObject({ kept: 0, released: 0 })
})

test('answers become tags, follow moved files, and changed answers swap them', async () => {
  const { of, policyId } = await asked('Tags')
  const page = of('ana@example.com')
  const answer = (answer: string, positions: number[] | null) =>
    stranger('PUT', page, { answer, positions }).expect(204)
  await tagAnswered(platform)
  expect(await tags()).toEqual([[], []])
  await answer('keep', null)
  await answer('release', [2, 3])
  await tagAnswered(platform)
  expect(await tags()).toEqual([[bad], ['a1.mov', 'a2.mov']])
  await answer('release', null)
  await tagAnswered(platform)
  expect(await tags()).toEqual([[], [bad, 'a1.mov', 'a2.mov']])
  const moved = files.map((file) =>
    file.inode === 11 ? { ...file, path: '/moved.mov' } : file.inode === 12 ? { ...file, size: 99 } : file,
  )
  await scan(moved, '2026-01-03')
  await answer('keep', [2])
  await tagAnswered(platform)
  expect(await tags()).toEqual([['moved.mov'], [bad, 'a2.mov']])
  const stream = `policy-${policyId}`
  const events = await db
    .selectFrom('events')
    .select(['data', 'actor', 'actorKind'])
    .where('stream', '=', stream)
    .orderBy('version')
    .execute()
  expect(events.map(({ actor, actorKind, data }) => [actor, actorKind, data])).toMatchObject([
    ['system', 'system', { type: 'OwnersAsked', owners: 2, withoutAddress: 2 }],
    ['owner FILMS\\Ana', 'stranger', { type: 'OwnerAnswered', owner: 'FILMS\\Ana', answer: 'keep', positions: null }],
    ['owner FILMS\\Ana', 'stranger', { answer: 'release', positions: [2, 3] }],
    ['owner FILMS\\Ana', 'stranger', { answer: 'release', positions: null }],
    ['owner FILMS\\Ana', 'stranger', { answer: 'keep', positions: [2] }],
  ])
  await answer('keep', [2])
  const again = await db.selectFrom('events').select('version').where('stream', '=', stream).execute()
  expect(again).toHaveLength(5)
  await scan(files, '2026-01-04')
})

test('a file that moved or changed before its answer is kept where it is now, and not released', async () => {
  const { of } = await asked('Moves')
  const page = of('ana@example.com')
  const moved = files.map((file) =>
    file.inode === 11 ? { ...file, path: '/moved.mov' } : file.inode === 12 ? { ...file, size: 99 } : file,
  )
  await scan(moved, '2026-01-05')
  await stranger('PUT', page, { answer: 'keep', positions: null }).expect(204)
  await tagAnswered(platform)
  expect((await tags())[0]).toEqual(expect.arrayContaining([bad, 'a2.mov', 'moved.mov']))
  await stranger('PUT', page, { answer: 'release', positions: null }).expect(204)
  await tagAnswered(platform)
  expect(await tags()).toEqual([[], [bad, 'moved.mov']])
  await scan(files, '2026-01-06')
})

test('a link gives a number of answers in a short time, and events keep the first positions', async () => {
  const { of, policyId } = await asked('Many')
  const page = of('ana@example.com')
  await db.updateTable('policyOwnerLinks').set({ files: 150 }).where('owner', '=', 'FILMS\\Ana').execute()
  const positions = Array.from({ length: 150 }, (_, i) => i + 1)
  await stranger('PUT', page, { answer: 'keep', positions }).expect(204)
  const facts = async () => {
    const events = db.selectFrom('events').select('data').where('stream', '=', `policy-${policyId}`).orderBy('version')
    return (await events.execute()).slice(1).map(({ data }) => data)
  }
  expect(await facts()).toMatchObject([{ files: 150, positions: positions.slice(0, 100) }])
  const answers = Array.from({ length: 19 }, (_, i) => (i % 2 ? 'keep' : 'release'))
  for (const answer of answers) await stranger('PUT', page, { answer, positions: null }).expect(204)
  const { body, headers } = await stranger('PUT', page, { answer: 'keep', positions: null }).expect(429)
  expect([body.code, Number(headers['retry-after']) > 0]).toEqual(['too-many-answers', true])
  expect((await facts()).slice(1)).toMatchObject(answers.map((answer) => ({ answer, files: 150, positions: null })))
  await stranger('PUT', of('ben@example.com'), { answer: 'keep', positions: null }).expect(204)
})

test('answers of the last hour become tags after the link has ended, and those without a list stay open', async () => {
  const { of } = await asked('Late')
  const page = of('ana@example.com')
  await stranger('PUT', page, { answer: 'release', positions: null }).expect(204)
  await stranger('PUT', page, { answer: 'keep', positions: [1] }).expect(204)
  const keptFor = (interval: string) =>
    postgres`UPDATE selections SET kept_until = kept_until - ${interval}::interval, created_at = now() - interval '9 days'`.execute(
      db,
    )
  await keptFor('14 days 1 hour')
  await dropUnused(platform)
  expect(await withoutList(db)).toEqual([])
  await tagAnswered(platform)
  expect(await tags()).toEqual([[bad], ['a1.mov', 'a2.mov']])
  await postgres`UPDATE policy_answers SET is_tagged = false`.execute(db)
  await keptFor('7 days')
  await dropUnused(platform)
  await tagAnswered(platform)
  expect(await withoutList(db)).toMatchObject([{ owner: 'FILMS\\Ana' }])
  expect(await db.selectFrom('policyAnswers').select('isTagged').execute()).toEqual([{ isTagged: false }])
})

test('the page of a link sends no address elsewhere, and is not indexed', async () => {
  const { headers } = await request(app).get('/owner-files/anything')
  expect(headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
})
