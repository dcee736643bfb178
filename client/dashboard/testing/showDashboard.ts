import { screen, waitFor } from '@testing-library/dom'
import { expect } from 'vitest'
import { type Dashboard, dashboard } from '#events/dashboard.ts'
import { mostActiveProjects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import { searchSizes } from '#events/search/calls.ts'
import { mostActiveVolumes } from '#events/storages.ts'
import { dashboardWith, storageSize } from '#client/testing/examples.ts'
import { answer, type FakeAnswer } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'

export const KiB = 1024
export const films = storageSize(1, { name: 'Films', numberOfFiles: 6, numberOfFolders: 6, sizeOfFiles: 227 * KiB })
export const past = '2026-01-20'

/** Search totals: duplicates, and files not accessed for three, six or nine months. */
export const found = answer(searchSizes, ({ query }) => {
  if (query.onlyDuplicates) return { count: 2, size: 100 * KiB, reclaimable: 50 * KiB }
  const count = [
    { day: '2025-06-01', count: 1 },
    { day: '2025-09-01', count: 2 },
    { day: '2025-12-01', count: 3 },
  ]
  const cold = count.find(({ day }) => day === query.lastAccessBefore)?.count ?? 0
  return { count: cold, size: cold * 2 * KiB }
})

export const show = (
  changes: Partial<Dashboard>,
  answers: readonly FakeAnswer[] = [],
  { at = '/', ...options }: Options & { at?: string } = {},
) =>
  open(at, {
    answers: [
      answer(dashboard, dashboardWith({ storages: [films], ...changes })),
      answer(mostActiveVolumes, []),
      answer(mostActiveProjects, []),
      answer(reportChecks, []),
      found,
      ...answers,
    ],
    ...options,
  })

/** Value and note of the figure with a label. */
export const figure = (label: string) => {
  const term = [...document.querySelectorAll('dt')].find(({ textContent }) => textContent === label)
  return [...(term?.parentElement?.querySelectorAll('dd') ?? [])].slice(0, 2).map(({ textContent }) => textContent)
}
/** Change of the figure with a label. */
export const changeOf = (label: string) => {
  const term = [...document.querySelectorAll('dt')].find(({ textContent }) => textContent === label)
  return term?.parentElement?.querySelectorAll('dd')[2]?.textContent
}
export const shows = (label: string, value: string, note: string) =>
  waitFor(() => expect(figure(label)).toEqual([value, note]))
export const card = async (title: string) => {
  const heading = await screen.findByRole('heading', { name: title, level: 2 })
  const section = heading.closest('section')
  if (!section) throw new Error(`${title} is in no card`)
  return section
}
export const cardSays = (title: string, text: string | RegExp) =>
  waitFor(async () => expect((await card(title)).textContent).toMatch(text))
export const linkTo = async (name: string | RegExp) => (await screen.findByRole('link', { name })).getAttribute('href')
