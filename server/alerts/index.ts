export { alertTypes, alertOnVolumes } from './alertOnVolumes.ts'
export { alertOnCrossings, alertOnProjects } from './alertOnProjects.ts'
export { forgetCrossings } from './crossings.ts'
export { spoken } from './tellOfSpace.ts'
