import { expect } from 'vitest'
import type { Endpoint } from '#events/contract/endpoint.ts'
import type { ListedProject, Project } from '#events/projects/calls.ts'
import { address, answerOf, type LimitedCase } from './asking.ts'

const never = 987_654_321
const draft = { description: '', allocatedSize: 0 }

/** Projects: lists have those of the limits, and for every call others are those that never existed. */
export const ofProjects =
  (calls: readonly Endpoint[]) =>
  async (seen: LimitedCase): Promise<void> => {
    const { platform, scope, ask, random } = seen
    await platform.db
      .insertInto('projects')
      .values({ ...draft, name: `Hidden ${random.below(1e9)}` })
      .execute()
    const all = await platform.db.selectFrom('projects').select(['id', 'name']).orderBy('id').execute()
    const { elements, total } = await answerOf<{ elements: ListedProject[]; total: number }>(seen, '/v1/projects', {
      size: '1000',
    })
    expect([elements.map(({ id }) => id).sort(), total]).toEqual([scope.projects.toSorted(), scope.projects.length])
    for (const id of scope.projects) {
      const { projectShares } = await answerOf<Project>(seen, `/v1/projects/${id}`, {})
      const volumes = projectShares.map(({ volumeId }) => volumeId)
      expect(volumes.filter((volume) => !scope.places.some((place) => place.volumeId === volume))).toEqual([])
    }
    const active = await answerOf<{ id: number }[]>(seen, '/v1/projects/mostActiveProjects', { duration: '3650' })
    expect(active.filter(({ id }) => !scope.projects.includes(id))).toEqual([])
    const months = await answerOf<string[]>(seen, '/v1/project-statements', {})
    for (const month of scope.projects.length === 0 ? ['2026-01'] : months)
      for (const kind of ['csv', 'xlsx'])
        expect((await ask('GET', address(`/v1/project-statements/${month}/${kind}`, {}))).status).toBe(
          scope.projects.length === 0 ? 404 : 200,
        )
    const { id } = random.pick(all.filter(({ id }) => !scope.projects.includes(id)))
    const ofOne = calls.filter(({ path }) => /^(\/v1)?\/projects\/:id/.test(path))
    for (const call of ofOne) {
      const answers = []
      for (const one of [id, never]) {
        const path = call.path.replace(':id', `${one}`).replace(':month', '2026-01')
        const { status, text, body } = await ask(call.method, `/api${path}`, bodyOf(call))
        answers.push([status, (text ?? String(body)).replaceAll(`${one}`, 'ID')])
      }
      expect([call.path, answers[0]]).toEqual([call.path, answers[1]])
      expect([call.path, answers[0]?.[0]]).toEqual([call.path, 404])
    }
    const edit = async (one: number) => {
      const { status, text } = await ask('PUT', '/api/projects', { ...draft, paths: [], id: one, name: 'Any' })
      return [status, text.replaceAll(`${one}`, 'ID')]
    }
    expect(await edit(id)).toEqual(await edit(never))
  }

/** A body that the call accepts. */
function bodyOf({ method, path }: Endpoint): object | undefined {
  if (method !== 'PUT') return undefined
  if (path.endsWith('members')) return { managers: [], readers: [] }
  if (path.endsWith('recipients')) return { addresses: [] }
  return { folders: [{ volumeId: 1, path: '/a', movedTo: '/b' }] }
}
