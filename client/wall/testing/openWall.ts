import { screen, waitFor } from '@testing-library/dom'
import { expect } from 'vitest'
import { agentInfos } from '#events/agents.ts'
import { dashboard } from '#events/dashboard.ts'
import { jobs } from '#events/jobs/calls.ts'
import { mostActiveProjects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import { mostActiveVolumes } from '#events/storages.ts'
import { loginInfo } from '#events/users/session.ts'
import { wallFolders, wallGrowth, WallOptions, wallOptions, wallSignIn } from '#events/wall.ts'
import { dashboardWith, storageSize } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'

export const films = storageSize(1, { name: 'Films of the north', fileSystem: 'north' })
export const signIn = [
  answer(loginInfo, { loginUrl: '/login', singleSignOn: false }),
  answer(wallSignIn, { name: 'Lobby' }),
]
/** Answers for a wall with one storage and nothing else. */
const defaultAnswers: FakeAnswer[] = [
  ...signIn,
  answer(dashboard, dashboardWith({ storages: [films] })),
  answer(jobs.list, pageWith([])),
  answer(agentInfos, []),
  answer(wallGrowth, []),
  answer(mostActiveVolumes, []),
  answer(mostActiveProjects, []),
  answer(reportChecks, []),
  answer(wallFolders, []),
  answer(wallOptions, WallOptions.parse({})),
]
/** Opens a wall with one storage; further answers and live states replace the default ones. */
export const openWall = (query: string, answers: FakeAnswer[] = [], live: Options['live'] = {}) =>
  open(`/wall?${query}&every=300`, {
    answers: [...defaultAnswers, ...answers],
    live: { dashboard: dashboardWith({ storages: [films] }), ...live },
  })

export const title = () => screen.queryByRole('heading', { level: 1 })?.textContent
export const seeBoard = (board: string) => waitFor(() => expect(title()).toBe(board))
export const isFramed = () => document.querySelector('[data-framed]')?.getAttribute('data-framed')
/** Text of the current board, without the one fading out. */
export const board = () => document.querySelector('[data-leaving="false"]')?.textContent
export const boardSays = (words: string | RegExp) => waitFor(() => expect(board()).toMatch(words))
