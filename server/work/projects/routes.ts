import { mostActiveProjects, projects } from '#events/projects/calls.ts'
import { folderMoves } from '#events/projects/moves.ts'
import { statements } from '#events/projects/statements.ts'
import { route } from '#server/platform/http/route.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { forecastProject } from './forecast.ts'
import { listMostActive, listProjects } from './listProjects.ts'
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
  route(mostActiveProjects, ({ query }) => listMostActive(platform.db, query)),
  route(projects.list, ({ query }) => listProjects(platform.db, query)),
  route(projects.find, ({ params, query }) => readProject(platform.db, params.id, query.indexingDate)),
  route(projects.history, ({ params, query }) => projectHistory(platform.db, params.id, query)),
  route(projects.changes, ({ params }) => projectChanges(platform.db, params.id)),
  route(projects.forecast, ({ params, query }) => forecastProject(platform.db, params.id, query.indexingDate)),
  route(projects.report, ({ params, query }) => projectReport(platform.db, params.id, query)),
  route(projects.create, async ({ body }, by) => {
    const draft = await withStoredPaths(platform, body)
    return { id: await change(platform, by, topics, (change) => createProject(change, draft)) }
  }),
  route(projects.update, async ({ body: { id, ...body } }, by) => {
    const draft = await withStoredPaths(platform, body, id)
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
  ...statementRoutes(platform),
]

const statementRoutes = (platform: Deps) => [
  route(statements.list, ({ params }) => listStatements(platform.db, params.id)),
  route(statements.find, async ({ params }) => (await findStatement(platform.db, params)).statement),
  route(statements.csv, async ({ params }) => statementCsv(await findStatement(platform.db, params))),
  route(statements.xlsx, async ({ params }) => statementSpreadsheet(await findStatement(platform.db, params))),
  route(statements.pdf, async ({ params }) => statementPdf(await findStatement(platform.db, params))),
  route(statements.months, () => listMonths(platform.db)),
  route(statements.allAsCsv, async ({ params: { month } }) =>
    statementsCsv(month, await findStatements(platform.db, month)),
  ),
  route(statements.allAsXlsx, async ({ params: { month } }) =>
    statementsSpreadsheet(month, await findStatements(platform.db, month)),
  ),
  route(statements.recipients, ({ params }) => readRecipients(platform.db, params.id)),
  route(statements.updateRecipients, ({ params, body }, by) =>
    change(platform, by, topics, (change) => updateRecipients(change, params.id, body.addresses)),
  ),
]
