import { screen } from '@testing-library/dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { projects } from '#events/projects/calls.ts'
import { folderMoves } from '#events/projects/moves.ts'
import { answer, type FakeAnswer, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { exampleProject, filmsShare, projectAnswers } from '#client/testing/exampleProject.ts'

// Recharts warns that charts have no size here.
beforeEach(() => {
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
  return () => warnings.mockRestore()
})

const openProject = (project = exampleProject(), ...answers: FakeAnswer[]) =>
  open('/project/1', { answers: [...projectAnswers(project), ...answers] })
const hrefOf = async (name: string) =>
  decodeURIComponent((await screen.findByRole('link', { name })).getAttribute('href') ?? '')

const moved = (path: string) => ({ path, fullPath: `/mnt${path}` })
const goneFolder = { isGone: true, movedTo: moved('/raw/alpine-final') }
const isNow = '/mnt/raw/alpine is now /mnt/raw/alpine-final. Follow it?'

test('a project asks whether to follow a moved folder, and is answered with the mouse', async () => {
  const { person, api } = await openProject(
    exampleProject({ projectShares: [filmsShare({}, goneFolder)] }),
    answer(folderMoves.follow),
  )
  await person.see(isNow)
  await person.see('A project that follows a folder tracks its new path and keeps its history.')
  await person.see(/GoneMoved/)
  await person.press('Follow /mnt/raw/alpine')
  await person.see('The project follows 1 folder')
  const folders = [{ volumeId: 1, path: '/raw/alpine', movedTo: '/raw/alpine-final' }]
  expect(api.inputs(folderMoves.follow)).toMatchObject([{ params: { id: 1 }, body: { folders } }])
})

test('the question is answered by keyboard, and ends once the project has the answer', async () => {
  const { person, api, live } = await openProject(
    exampleProject({ projectShares: [filmsShare({}, goneFolder)] }),
    answer(folderMoves.reject),
  )
  const follow = await screen.findByRole('button', { name: 'Follow /mnt/raw/alpine' })
  follow.focus()
  await person.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: "Don't follow /mnt/raw/alpine" }))
  api.answer(answer(projects.find, exampleProject()))
  await person.keys('{Enter}')
  await person.see('The project keeps the old path of 1 folder')
  expect(api.inputs(folderMoves.reject)).toHaveLength(1)
  live.send('changed', { type: 'changed', topics: ['projects'] })
  await person.seeNo('Follow it?')
})

test('several moved folders are followed at once', async () => {
  const share = filmsShare()
  const items = Array.from({ length: 7 }, (_, n) => ({
    ...share.projectItems[0]!,
    ...goneFolder,
    id: n + 1,
    path: `/raw/${n}`,
    fullPath: `/mnt/raw/${n}`,
  }))
  const project = exampleProject({ projectShares: [{ ...share, projectItems: items }] })
  const { person, api } = await openProject(project, answer(folderMoves.follow))
  await person.see('2 more folders moved.')
  await person.press('Follow all 7 folders')
  await person.see('The project follows 7 folders')
  expect(api.inputs(folderMoves.follow)[0]?.body.folders).toHaveLength(7)
})

test('readers see where a moved folder probably is, without a question', async () => {
  const project = exampleProject({ projectShares: [filmsShare({}, goneFolder)] })
  const { person } = await open('/project/1', { roles: [], answers: projectAnswers(project) })
  await person.see('/mnt/raw/alpine is gone. It is probably /mnt/raw/alpine-final now.')
  await person.see('A project manager or an administrator can let the project follow.')
  expect(screen.queryByRole('button', { name: /ollow/ })).toBeNull()
})

test('a late answer is reported as such', async () => {
  const message = 'The folder /raw/alpine is no longer waiting for this answer. Reload the project.'
  const { person } = await openProject(
    exampleProject({ projectShares: [filmsShare({}, goneFolder)] }),
    refuse(folderMoves.follow, { message }, 409),
  )
  await person.press('Follow /mnt/raw/alpine')
  await person.see(message)
})

test('on a date before a move, links lead to the old path', async () => {
  const before = { path: '/raw/alpine-final', pathOnDate: '/raw/alpine' }
  const { person } = await openProject(exampleProject({ projectShares: [filmsShare({}, before)] }))
  await person.see('/raw/alpine on this date')
  expect(await hrefOf('Files of Films')).toBe('/search?volumeId=1&startingPath=/raw/alpine')
  expect(await hrefOf('Folder analytics of /raw/alpine-final')).toBe('/folders?volumeId=1&path=/raw/alpine')
})
