import { mostActiveProjects, projects } from '#events/projects/calls.ts'
import { folderMoves } from '#events/projects/moves.ts'
import { members } from '#events/projects/members.ts'
import { statements } from '#events/projects/statements.ts'
import { route } from '#server/platform/http/route.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { checkEditable, isManager } from './checkProject.ts'
import { forecastProject } from './forecast.ts'
import { listMostActive, listProjects } from './listProjects.ts'
import { readMembers, updateMembers } from './members.ts'
import { followMoves, rejectMoves } from './moves/answerMoves.ts'
import { projectChanges } from './projectChanges.ts'
import { projectHistory } from './projectHistory.ts'
import { createProject, removeProject, updateProject, updateRecipients, withStoredPaths } from './projects.ts'
import { readProject } from './readProject.ts'
import { projectReport } from './reports/projectReport.ts'
import {
  findStatement,
  findStatements,
  listMonths,
  listStatements,
  readRecipients,
} from './statements/readStatements.ts'
import {
  statementCsv,
  statementPdf,
  statementsCsv,
  statementSpreadsheet,
  statementsSpreadsheet,
} from './statements/statementFiles.ts'

const topics = ['projects'] as const
type Deps = Pick<Platform, 'db' | 'clickhouse' | 'live'>

export const projectRoutes = (platform: Deps) => [
  route(mostActiveProjects, ({ query }, { scope }) => listMostActive(platform.db, scope, query)),
  route(projects.list, ({ query }, { scope }) => listProjects(platform.db, scope, query)),
  route(projects.find, async ({ params, query }, { id, scope }) => ({
    ...(await readProject(platform.db, scope, params.id, query.indexingDate)),
    ...((await isManager(platform.db, id, params.id)) && { isManager: true as const }),
  })),
  route(projects.history, ({ params, query }, { scope }) => projectHistory(platform.db, scope, params.id, query)),
  route(projects.changes, ({ params }, { scope }) => projectChanges(platform.db, scope, params.id)),
  route(projects.forecast, ({ params, query }, { scope }) =>
    forecastProject(platform.db, scope, params.id, query.indexingDate),
  ),
  route(projects.report, ({ params, query }, { scope }) => projectReport(platform.db, scope, params.id, query)),
  route(projects.create, async ({ body }, by) => {
    const draft = await withStoredPaths(platform, by.scope, body)
    return { id: await change(platform, by, topics, (change) => createProject(change, draft)) }
  }),
  route(projects.update, async ({ body: { id, ...body } }, by) => {
    await checkEditable(platform.db, by, id)
    const draft = await withStoredPaths(platform, by.scope, body, id)
    await change(platform, by, topics, (change) => updateProject(change, id, draft))
    return { id }
  }),
  route(projects.remove, ({ params }, by) =>
    change(platform, by, topics, (change) => removeProject(change, params.id)),
  ),
  route(folderMoves.follow, ({ params, body }, by) =>
    change(platform, by, topics, (change) => followMoves(change, params.id, body.folders)),
  ),
  route(folderMoves.reject, ({ params, body }, by) =>
    change(platform, by, topics, (change) => rejectMoves(change, params.id, body.folders)),
  ),
  route(members.list, ({ params }, by) => readMembers(platform.db, by, params.id)),
  route(members.update, ({ params, body }, by) =>
    change(platform, by, ['projects', 'users', 'limits'], (change) => updateMembers(change, params.id, body)),
  ),
  ...statementRoutes(platform),
]

const statementRoutes = (platform: Deps) => [
  route(statements.list, ({ params }, { scope }) => listStatements(platform.db, scope, params.id)),
  route(statements.find, async ({ params }, { scope }) => (await findStatement(platform.db, scope, params)).statement),
  route(statements.csv, async ({ params }, { scope }) => statementCsv(await findStatement(platform.db, scope, params))),
  route(statements.xlsx, async ({ params }, { scope }) =>
    statementSpreadsheet(await findStatement(platform.db, scope, params)),
  ),
  route(statements.pdf, async ({ params }, { scope }) => statementPdf(await findStatement(platform.db, scope, params))),
  route(statements.months, (_, { scope }) => listMonths(platform.db, scope)),
  route(statements.allAsCsv, async ({ params: { month } }, { scope }) =>
    statementsCsv(month, await findStatements(platform.db, scope, month)),
  ),
  route(statements.allAsXlsx, async ({ params: { month } }, { scope }) =>
    statementsSpreadsheet(month, await findStatements(platform.db, scope, month)),
  ),
  route(statements.recipients, async ({ params }, by) => {
    await checkEditable(platform.db, by, params.id)
    return readRecipients(platform.db, params.id)
  }),
  route(statements.updateRecipients, ({ params, body }, by) =>
    change(platform, by, topics, (change) => updateRecipients(change, params.id, body.addresses)),
  ),
]
