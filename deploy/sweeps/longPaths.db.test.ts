import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxPathLength } from '#events/entries.ts'
import { sessionCookie } from '#events/users/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { createApp } from '#server/app.ts'
import { type HttpListener, listen } from '#server/listen.ts'
import { routesOf } from '#server/serve.ts'
import { testSession } from '#server/testing.ts'

const platform = await testPlatform()
const session = await testSession(platform.db, ['ROLE_ADMIN'])
let server: HttpListener
let volumeId: number

/** The maximum depth of an entry: names of bytes that are not UTF-8, each of which takes nine characters in a URL. */
const names = Array.from({ length: 200 }, (_, at) => strayName(at))
const longPath = `/${names.join('/')}`.slice(0, maxPathLength - 10)
const files = [1, 2, 3].map((number) => `${longPath}/${number}.mov`)

/** Random bytes, which can't be compressed. */
function strayName(seed: number): string {
  const byte = (at: number) => Math.floor(Math.abs(Math.sin(seed * 1_000 + at)) * 1e6) % 128
  return Array.from({ length: 250 }, (_, at) => String.fromCharCode(0xef80 + byte(at))).join('')
}

beforeAll(async () => {
  server = await listen({ host: '127.0.0.1', port: 0 })
  server.ready(createApp(platform, routesOf(platform)))
  volumeId = await newVolume(platform, 'Deep')
  const folders = names
    .map((_, depth) => `/${names.slice(0, depth + 1).join('/')}`.slice(0, longPath.length))
    .filter((path, at, paths) => path !== paths[at - 1])
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [
    ...['', ...folders.slice(0, -1)].map((path, at) => ({
      path,
      entries: [{ path: folders[at] ?? '', isDirectory: true }],
    })),
    { path: longPath, entries: files.map((path) => ({ path })) },
  ])
})
afterAll(() => void server.http.close())

async function answerOf(path: string, query: Record<string, string | string[]>) {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((word) => [name, word]))
  const answer = await fetch(`${server.address}/api${path}?${new URLSearchParams(pairs)}`, {
    headers: { cookie: `${sessionCookie}=${session}` },
  })
  return { status: answer.status, body: (await answer.json()) as { elements: { path: string }[]; cursor: string } }
}

test.each([
  ['/files/directory', () => ({ directoryPath: longPath })],
  ['/files/search', () => ({ startingPath: longPath })],
  ['/files/search', () => ({ storageAndPath: `${volumeId}:${longPath}` })],
  ['/files/search', () => ({ volumeAndPath: `${volumeId}:${longPath}` })],
])('%s answers page after page of the deepest folder', async (path, folder) => {
  const query = { ...folder(), sort: 'path', direction: 'asc', size: '1' }
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null && found.length < 5;) {
    const { status, body }: Awaited<ReturnType<typeof answerOf>> = await answerOf(path, { ...query, cursor })
    expect([status, body.elements?.length]).toEqual([200, 1])
    found.push(...body.elements.map((each) => each.path))
    cursor = body.cursor
  }
  expect(found).toEqual(files)
})

test('a path that is longer than any is refused by name', async () => {
  const tooLong = `/${'x'.repeat(maxPathLength)}`
  for (const [path, field, value] of [
    ['/files/search', 'startingPath', tooLong],
    ['/files/search', 'storageAndPath', `999999999:${tooLong}`],
    ['/files/directory', 'directoryPath', tooLong],
  ] as const) {
    const { status, body } = await answerOf(path, { [field]: value })
    expect([status, body]).toMatchObject([400, { subErrors: [{ field: expect.stringContaining(field) }] }])
  }
})

test('a cursor that unpacks to more than any list gave is refused by name', async () => {
  const long = (letter: string, length: number) => letter.repeat(length)
  for (const [key, parentPath, name] of [
    [long(' ', 5_000_000), '/', 'a'],
    ['/a', long('a', 300_000), 'x'],
    ['/a', '/', long("'", 60_000)],
    [long('Ä', 100_000), '/', 'x'],
  ]) {
    const cursor = brotliCompressSync(JSON.stringify(['path', 'asc', key, parentPath, name, 1, false])).toString(
      'base64url',
    )
    const { status, body } = await answerOf('/files/search', { sort: 'path', direction: 'asc', cursor })
    expect([status, body]).toMatchObject([400, { subErrors: [{ field: 'cursor', message: 'is not a valid cursor' }] }])
  }
  const maxCursor = ['path', 'asc', long("'", maxPathLength), '/', long('\\', maxPathLength), 1, false]
  const cursor = brotliCompressSync(JSON.stringify(maxCursor)).toString('base64url')
  expect((await answerOf('/files/search', { sort: 'path', direction: 'asc', cursor })).status).toBe(200)
})

test('lists of texts are as long as the engine accepts, or refused by name', async () => {
  const list = (letters: number) => Array.from({ length: letters / 800 }, () => "'".repeat(800))
  for (const field of ['tag', 'tags', 'report', 'reports', 'extension']) {
    expect((await answerOf('/files/search', { [field]: list(16_000) })).status).toBe(200)
    const { status, body } = await answerOf('/files/search', { [field]: list(16_800) })
    expect([status, body]).toMatchObject([400, { subErrors: [{ field }] }])
  }
  const maxQuery = { tag: list(16_000), tags: list(16_000), report: list(16_000), reports: list(16_000) }
  expect((await answerOf('/files/search', maxQuery)).status).toBe(200)
})
