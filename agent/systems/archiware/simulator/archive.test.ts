import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archive, ask, jobOf, listed, withStudio } from './testing.ts'

test('an archive job goes through its states, and its entries appear in the index later', async () => {
  const { p5, files } = await withStudio()
  const { body } = await archive(p5, { paths: ['/mnt/media/a', '/mnt/media/reel', '/mnt/media/gone'] })
  expect(body.entries).toEqual([
    { path: '/mnt/media/a', handle: expect.stringMatching(/^Default-Archive#/) },
    { path: '/mnt/media/reel', handle: expect.stringMatching(/^Default-Archive#/) },
  ])
  const seen = []
  for (const ms of [0, 500, 500, 1_000, 1_000]) {
    p5.clock.advance(ms)
    const { status, completion } = await jobOf(p5, body.ID)
    seen.push([status, completion])
  }
  const unfinished = ['pending', 'started', 'running', 'running'].map((status) => [status, undefined])
  expect(seen).toEqual([...unfinished, ['completed', 'success']])
  expect(await jobOf(p5, body.ID)).toMatchObject({ totalfiles: 3, totalkbytes: 1, description: 'DataIntell job 7' })
  expect(files()).toEqual([])
  p5.clock.advance(3_000)
  expect(files().sort()).toEqual(['/mnt/media/a', '/mnt/media/reel/back\\slash', '/mnt/media/reel/c'])
  const headers = { client: 'studio', path: '/mnt/media/a' }
  expect((await ask(p5, 'GET archive/entries', { headers })).body.ID).toBe(body.entries[0].handle)
})

test('sources are deleted when the plan says so, and only what was archived', async () => {
  const { p5, folder } = await withStudio()
  p5.addPlan('10002', { deletesFiles: true })
  p5.addPlan('10003', { deletesAll: true })
  p5.scriptNextJob({ skippedFiles: 1 })
  await archive(p5, { plan: '10002', paths: ['/mnt/media/reel', '/mnt/media/a'] })
  p5.clock.advance(10_000)
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['a', 'b', 'reel', 'reel/empty'])
  await archive(p5, { plan: '10003', paths: ['/mnt/media/reel'] })
  p5.clock.advance(10_000)
  expect(readdirSync(folder).sort()).toEqual(['a', 'b'])
})

test('one undoubled backslash refuses the whole submission', async () => {
  const { p5, files } = await withStudio()
  const refused = await archive(p5, { paths: ['/mnt/media/a', '/mnt/media/reel/back\\slash'] })
  expect(refused).toEqual({ status: 500, body: 'Unmatched backslash in "/mnt/media/reel/back\\slash"' })
  expect(await listed(p5)).toEqual([])
  await archive(p5, { paths: ['/mnt/media/reel/back\\\\slash'] })
  p5.clock.advance(10_000)
  expect(files()).toEqual(['/mnt/media/reel/back\\slash'])
})

test('a submission needs its headers, a reachable client, and a body of the right type', async () => {
  const { p5, client } = await withStudio()
  expect((await archive(p5, { headers: { client: 'nobody' } })).status).toBe(500)
  expect((await archive(p5, { plan: '1' })).status).toBe(404)
  expect((await archive(p5, { headers: { 'content-type': 'text/plain' } })).status).toBe(400)
  const inQuery = 'POST archive/plans/10001/archiveselections?client=studio'
  expect((await ask(p5, inQuery, { body: { paths: [] } })).body).toBe('Missing parameter: client')
  const { body } = await archive(p5, {})
  client.isOnline = false
  expect((await archive(p5, {})).body).toBe('Client "studio" does not respond')
  p5.clock.advance(10_000)
  expect(await jobOf(p5, body.ID)).toMatchObject({ status: 'completed', completion: 'failure' })
})

test('metadata of another shape is refused', async () => {
  const { p5 } = await withStudio()
  expect((await archive(p5, { meta: [{ key: 'user1', value: 'x' }] })).status).toBe(200)
  expect((await archive(p5, { meta: { user1: 'x' } })).status).toBe(400)
})

test('paths are kept whole or lose their leading directories, under the folder of the header', async () => {
  const { p5, index } = await withStudio()
  p5.behavior.keepsWholePaths = false
  await archive(p5, { paths: ['/mnt/media/reel'], headers: { indexroot: '/shows' } })
  p5.behavior.keepsWholePaths = true
  p5.clock.advance(10_000)
  expect(index.find('shows/reel/c')).toBeDefined()
  await archive(p5, { headers: { indexroot: '/shows' } })
  p5.behavior.indexRootHeader = 'none'
  await archive(p5, { paths: ['/mnt/media/b'], headers: { indexroot: '/shows' } })
  p5.clock.advance(10_000)
  expect(['shows/mnt/media/a', 'mnt/media/b'].map((path) => index.find(path) !== undefined)).toEqual([true, true])
})

test('an incremental plan archives no file twice, and its answer says so', async () => {
  const { p5, folder, index } = await withStudio()
  p5.addPlan('10004', { isIncremental: true })
  const paths = ['/mnt/media/a', '/mnt/media/b']
  const again = async () => {
    const { body } = await archive(p5, { plan: '10004', paths })
    p5.clock.advance(10_000)
    return body.entries.map(({ handle }: { handle: string }) => handle.slice(0, 8))
  }
  expect(await again()).toEqual(['Default-', 'Default-'])
  writeFileSync(join(folder, 'b'), 'another content')
  expect(await again()).toEqual(['<empty>', 'Default-'])
  p5.behavior.alreadyArchived = 'omit'
  expect(await again()).toEqual([])
  expect(['a', 'b'].map((name) => index.find(`mnt/media/${name}`)?.generations.length)).toEqual([1, 2])
})
