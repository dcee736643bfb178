export { alertTypes, alertOnVolumes } from './alertOnVolumes.ts'
export { alertOnProjects } from './alertOnProjects.ts'
export { alertOnChecks } from './alertOnChecks.ts'
export { spoken } from './tellOfSpace.ts'
