import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archive, ask, jobOf, listed, reportOf, restore, withStudio } from './testing.ts'

const protocolOf = async (p5: Parameters<typeof ask>[0], id: string) =>
  (await ask(p5, `GET general/jobs/${id}/protocol`, { headers: { format: 'json' } })).body.protocol.files

test('files that fail have a line in the report, and the job ends with an exception', async () => {
  const { p5, folder, files } = await withStudio()
  p5.addPlan('10002', { deletesFiles: true })
  p5.scriptNextJob({ failedFiles: { '/mnt/media/b': 'Permission denied' } })
  const { body } = await archive(p5, { plan: '10002', paths: ['/mnt/media/a', '/mnt/media/b', '/mnt/media/reel/c'] })
  rmSync(join(folder, 'reel/c'))
  p5.clock.advance(10_000)
  expect(await jobOf(p5, body.ID)).toMatchObject({ status: 'completed', completion: 'exception', totalfiles: 1 })
  const report = await reportOf(p5, body.ID)
  expect(report).toContain('Error: /mnt/media/b: Permission denied\n')
  expect(report).toContain('Error: /mnt/media/reel/c: No such file or directory\n')
  expect(await protocolOf(p5, body.ID)).toMatchObject([{ result: 'done' }, { result: 'failed' }, { result: 'failed' }])
  expect([files(), readdirSync(folder)]).toEqual([['/mnt/media/a'], ['b', 'reel']])
})

test('a file that can not be restored fails alone', async () => {
  const { p5, folder } = await withStudio()
  const { body } = await archive(p5, { paths: ['/mnt/media/a', '/mnt/media/b'] })
  p5.clock.advance(10_000)
  mkdirSync(join(folder, 'new/a'), { recursive: true })
  const handles = body.entries.map(({ handle }: { handle: string }) => ({ ID: handle }))
  const { body: restored } = await restore(p5, handles, { relocate: '/mnt/media/new' })
  p5.clock.advance(10_000)
  expect(await jobOf(p5, restored.ID)).toMatchObject({ completion: 'exception', totalfiles: 1 })
  expect(await reportOf(p5, restored.ID)).toMatch(/Error: \/mnt\/media\/new\/a: /)
  expect(existsSync(join(folder, 'new/b'))).toBe(true)
})

test('a restart or a cancellation may leave some files archived', async () => {
  const { p5, files } = await withStudio()
  const start = async (paths: string[]) => {
    p5.scriptNextJob({ filesBeforeEnd: 1 })
    const { body } = await archive(p5, { paths })
    p5.clock.advance(1_500)
    return body.ID
  }
  const terminated = await start(['/mnt/media/a', '/mnt/media/b'])
  p5.restart()
  expect(await jobOf(p5, terminated)).toMatchObject({ status: 'terminated', totalfiles: 1 })
  const canceled = await start(['/mnt/media/reel/c', '/mnt/media/b'])
  await ask(p5, `DELETE general/jobs/${canceled}`)
  p5.clock.advance(10_000)
  expect(await jobOf(p5, canceled)).toMatchObject({ status: 'canceled', totalfiles: 1 })
  expect(files().sort()).toEqual(['/mnt/media/a', '/mnt/media/reel/c'])
  p5.scriptNextJob({ filesBeforeEnd: 1, completion: 'failure' })
  const { body: failed } = await archive(p5, { paths: ['/mnt/media/b', '/mnt/media/a'] })
  p5.clock.advance(10_000)
  expect(await jobOf(p5, failed.ID)).toMatchObject({ completion: 'failure', totalfiles: 1 })
  expect(files()).toContain('/mnt/media/b')
})

test('a job may be unknown for some time', async () => {
  const { p5 } = await withStudio()
  p5.scriptNextJob({ unknownMs: 30_000 })
  const { body } = await archive(p5, {})
  p5.clock.advance(2_500)
  expect(await jobOf(p5, body.ID)).toMatchObject({ status: 'unknown' })
  p5.clock.advance(31_000)
  expect(await jobOf(p5, body.ID)).toMatchObject({ status: 'completed', completion: 'success' })
})

test('an archive waits for its volume too, and can be canceled meanwhile', async () => {
  const { p5, files } = await withStudio()
  const volume = p5.volumes.get('10101')!
  volume.isOnline = false
  const ids = [(await archive(p5, {})).body.ID, (await archive(p5, { paths: ['/mnt/media/b'] })).body.ID]
  p5.clock.advance(86_400_000)
  expect((await jobOf(p5, ids[0])).status).toBe('running')
  expect(await reportOf(p5, ids[0])).toContain('Waiting for volume 10101 (Archive.0001)')
  await ask(p5, `DELETE general/jobs/${ids[1]}`)
  volume.isOnline = true
  p5.clock.advance(10_000)
  expect([(await jobOf(p5, ids[0])).status, (await jobOf(p5, ids[1])).status]).toEqual(['completed', 'canceled'])
  expect(files()).toEqual(['/mnt/media/a'])
})

test('a submission whose connection closed may have made no job, or makes one later', async () => {
  const { p5 } = await withStudio()
  p5.faults.dropRequest('POST archive/plans')
  await expect(archive(p5, {})).rejects.toThrow('socket hang up')
  expect(await listed(p5)).toEqual([])
  const client = new AbortController()
  p5.faults.latencyMs = (call) => {
    if (!call.startsWith('POST')) return 0
    client.abort()
    return 200
  }
  const headers = {
    client: 'studio',
    time: 'now',
    'content-type': 'application/json',
    authorization: `Basic ${btoa(`${p5.user}:${p5.password}`)}`,
  }
  const body = JSON.stringify({ paths: [{ path: '/mnt/media/a', meta: [] }], description: 'DataIntell job 7' })
  const url = `${p5.url}/rest/v1/archive/plans/10001/archiveselections`
  await expect(fetch(url, { method: 'POST', headers, body, signal: client.signal })).rejects.toThrow('aborted')
  await expect.poll(() => listed(p5)).toEqual(['10231'])
})

test('paths with colons and carets are archived as they are named, and listed in caret form', async () => {
  const { p5, folder } = await withStudio()
  const names = ['day:night', 'caret^2f', 'back\\slash', '100% + ä 🎬']
  for (const name of names) writeFileSync(join(folder, name), name)
  const paths = names.map((name) => `/mnt/media/${name.replaceAll('\\', '\\\\')}`)
  const { body } = await archive(p5, { paths })
  expect(body.entries.map(({ path }: { path: string }) => path)).toEqual(paths)
  p5.clock.advance(10_000)
  const { inventory } = (await ask(p5, 'GET archive/indexes/Default-Archive/inventory/mnt/media')).body
  const listedNames = inventory.map(({ name }: { name: string }) => name)
  expect(listedNames).toEqual(['day^2fnight', 'caret^5e2f', 'back^5cslash', '100% + ä 🎬'])
  mkdirSync(join(folder, 'new'))
  const handles = body.entries.map(({ handle }: { handle: string }) => ({ ID: handle }))
  await restore(p5, handles, { relocate: '/mnt/media/new' })
  p5.clock.advance(10_000)
  expect(readdirSync(join(folder, 'new')).sort()).toEqual([...names].sort())
})

test('a disabled plan is refused, and files return to their path on the client', async () => {
  const { p5, folder } = await withStudio()
  p5.addPlan('10002', { isEnabled: false })
  expect((await archive(p5, { plan: '10002' })).body).toBe('Plan "10002" is disabled')
  const { body } = await archive(p5, { headers: { indexroot: '/mnt/media/index' } })
  p5.clock.advance(10_000)
  const [{ handle }] = body.entries
  rmSync(join(folder, 'a'))
  await restore(p5, [{ ID: handle }])
  p5.clock.advance(10_000)
  expect(existsSync(join(folder, 'a'))).toBe(true)
})
