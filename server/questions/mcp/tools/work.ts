import { z } from 'zod'
import { eventLog } from '#events/event-log/calls.ts'
import { jobs } from '#events/jobs/calls.ts'
import { jobStatuses } from '#events/jobs/states.ts'
import { jobTypes } from '#events/jobs/types.ts'
import { projects } from '#events/projects/calls.ts'
import { statements } from '#events/projects/statements.ts'
import { reports } from '#events/reports/calls.ts'
import { reportRuns } from '#events/reports/runs.ts'
import { incidents } from '#events/schedules/incidents.ts'
import { idIn } from '../entries.ts'
import { type Context, first, indexingDate, limit, named, page, paged, tool } from '../tool.ts'

const projectId = async ({ call }: Context, given: string) =>
  idIn((await call(projects.list, { query: { size: 1000 } })).elements, given, 'project')

const projectTools = [
  tool(
    'projects',
    'Projects with size, allocated size, yearly cost and last change.',
    { filter: z.string().describe('Part of the name or description').optional(), indexingDate, page, limit },
    async ({ page, limit: size, ...query }, { call, links }) =>
      paged(await call(projects.list, { query: { ...query, page, size } }), links('/projects', query)),
  ),
  tool(
    'project',
    'One project: its folders with sizes, last access and duplicates, and when it will reach its allocated size.',
    { project: named, indexingDate },
    async ({ project, ...query }, context) => {
      const params = { id: await projectId(context, project) }
      const { projectShares, ...figures } = await context.call(projects.find, { params, query })
      const forecast = await context.call(projects.forecast, { params, query })
      const rows = projectShares.flatMap(({ projectItems }) => projectItems)
      return { figures: { ...figures, forecast }, rows, link: context.links(`/project/${params.id}`, query) }
    },
  ),
  tool(
    'statement',
    'Cost of a project in a month, by storage and storage class. Without a month, the totals of all months, newest first.',
    { project: named, month: z.string().describe('Month like 2026-01').optional(), limit },
    async ({ project, month, limit }, context) => {
      const id = await projectId(context, project)
      const link = context.links(`/project/${id}`, { tab: 'statements' })
      if (month === undefined) return first(await context.call(statements.list, { params: { id } }), limit, link)
      const { lines, ...figures } = await context.call(statements.find, { params: { id, month } })
      return { ...first(lines, limit, link), figures }
    },
  ),
]

const reportTools = [
  tool(
    'reports',
    'Reports with the figures and the check of their last run. Search with the name as `report` lists the files.',
    { page, limit },
    async ({ page, limit: size }, { call, links }) => {
      const { elements, total } = await call(reports.list, { query: { page, size } })
      return paged({ elements: elements.map((report) => ({ ...report, jobs: undefined })), total }, links('/reports'))
    },
  ),
  tool(
    'report_result',
    'Runs of one report, newest first, with the number and size of the files that each found and the result of its check.',
    { report: named, page, limit },
    async ({ report, page, limit: size }, { call, links }) => {
      const id = idIn((await call(reports.list, { query: { size: 1000 } })).elements, report, 'report')
      return paged(await call(reportRuns.list, { params: { id }, query: { page, size } }), links(`/report/${id}`))
    },
  ),
]

const logTools = [
  tool(
    'jobs',
    'Jobs with their state, storages and result. Users without the administrator role see their own jobs.',
    {
      statuses: z.array(z.enum(jobStatuses)).describe('Default: all').optional(),
      types: z.array(z.enum(jobTypes)).describe('Default: all').optional(),
      lastHours: z.int().min(1).optional(),
      page,
      limit,
    },
    async ({ page, limit: size, lastHours, ...query }, { call, links }) => {
      const { elements, total } = await call(jobs.list, { query: { ...query, lastHours, page, size } })
      const rows = elements.map((job) => ({ ...job, payload: undefined }))
      return paged({ elements: rows, total }, links('/settings/jobs', query))
    },
  ),
  tool(
    'job',
    'One job with its tasks: state, attempts, and results or reasons of failures.',
    { job: z.int().min(1), page, limit },
    async ({ job: id, page, limit: size }, { call, links }) => {
      const figures = { ...(await call(jobs.one, { params: { id } })), tasks: undefined, payload: undefined }
      const tasks = await call(jobs.tasks, { params: { id }, query: { page, size } })
      return { figures, ...paged(tasks, links('/settings/jobs', { id })) }
    },
  ),
  tool('firing_alerts', "The caller's alerts that fire now.", { limit }, async ({ limit }, { call, links }) =>
    first(await call(incidents.firing), limit, links('/alerts')),
  ),
  tool(
    'event_log',
    'Events, newest first: who changed what, sign-ins, jobs and failures. Needs the administrator role.',
    {
      text: z.string().describe('Text anywhere in the event').optional(),
      stream: z.string().describe('Like job-42, or job-* for all').optional(),
      type: z.array(z.string()).describe('Types like TaskFailed').default([]),
      actor: z.string().optional(),
      from: z.string().describe('Moment like 2026-01-31T08:00:00Z').optional(),
      to: z.string().describe('Moment, exclusive').optional(),
      before: z.int().min(1).describe('Position: older events only').optional(),
      limit,
    },
    async ({ limit: size, before, ...query }, { call, links }) => {
      const { elements, next } = await call(eventLog.list, { query: { ...query, before, size } })
      const { pieces } = await call(eventLog.density, { query: { ...query, pieces: 1 } })
      const total = pieces.reduce((sum, { events }) => sum + events, 0)
      return {
        figures: { before: next },
        ...paged({ elements, total }, links('/event-log', { mode: 'browse', ...query })),
      }
    },
  ),
]

export const workTools = [...projectTools, ...reportTools, ...logTools]
