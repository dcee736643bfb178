export { singleSignOnHealth } from './findings.ts'
export { singleSignOn } from './routes.ts'
