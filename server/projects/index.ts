export { projectRoutes } from './routes.ts'
export { projectSpaces } from './listProjects.ts'
export { startFigures } from './figures/startFigures.ts'
export { startClosingMonths } from './statements/closeMonths.ts'
