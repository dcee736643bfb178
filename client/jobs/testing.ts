import { screen, within } from '@testing-library/dom'
import { agentInfos, agents } from '#events/agents.ts'
import { dashboard } from '#events/dashboard.ts'
import { type JobRow, jobs } from '#events/jobs/calls.ts'
import { dashboardWith } from '#client/testing/examples.ts'
import { answer, pageWith } from '#client/testing/fakeApi.ts'

export const listOf = (...rows: JobRow[]) => answer(jobs.list, pageWith(rows))
export const nothing = answer(dashboard, dashboardWith())
export const defaultAnswers = [nothing, answer(agents.list, pageWith([])), answer(agentInfos, [])]

export const address = () => location.pathname + location.search
export const table = () => screen.findByRole('grid', { name: 'Jobs' })
export const rows = async () =>
  within(await table())
    .getAllByRole('row')
    .slice(1)
export const cellsOf = (row: HTMLElement | undefined) =>
  [...(row?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent)
