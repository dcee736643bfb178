export { apiDocs } from './apiDocs.ts'
