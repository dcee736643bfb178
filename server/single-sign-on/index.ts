export { singleSignOn } from './routes.ts'
