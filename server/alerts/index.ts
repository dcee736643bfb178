export { alertTypes, spoken, tellOfVolumes } from './tellOfVolumes.ts'
