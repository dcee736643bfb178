export { singleSignOnHealth } from './findings.ts'
export { startSessionRefresh } from './refreshSessions.ts'
export { singleSignOn } from './routes.ts'
